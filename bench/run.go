package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"instruction-catalog/rpc"
)

// Config is the configuration of a run.
type Config struct {
	Sizes      []int // entries, each once, at least 1, at most MaxPipeSize, or with InProcess MaxSize
	Iterations int   // of each operation at each size in each run, at least 1
	Runs       int   // at least 1; the report has their medians
	InProcess  bool  // measure in process only, and not over the pipe

	Server func(path string) Command // serves the catalog at path on its standard streams
	Floor  Command                   // runs ServeFloor on its standard streams
	// Open returns the same server in process, with its counts of use in the file
	// journal, or in memory if journal is empty.
	Open func(path, journal string) (*Local, error)

	// Progress, unless nil, is called before each step, and now and then during a
	// long one: with how many are done, of how many, and what comes next.
	Progress func(done, total int, next string)
}

// Local is a server without its pipe.
type Local struct {
	Registry *rpc.Registry
	// BuildIndex returns when searches have their index, which is otherwise
	// built in the background once the catalog is loaded.
	BuildIndex func(context.Context) error
}

// seed of the generated catalogs: every run measures the same texts.
const seed = 1

// MaxSize is the largest catalog that is measured, and MaxPipeSize the largest
// that is measured over the pipe, in entries: clients do not ask for longer lists.
// Entries of such catalogs take 1 KB of disk each.
const (
	MaxSize     = 1_000_000
	MaxPipeSize = 100_000
)

// Check reports what is wrong with sizes, iterations and runs.
func (c *Config) Check() error {
	if len(c.Sizes) == 0 {
		return errors.New("no sizes: name at least one")
	}
	for i, size := range c.Sizes {
		switch {
		case slices.Contains(c.Sizes[:i], size):
			return fmt.Errorf("size %d is named twice: name each size once, and ask for more --runs to measure it again", size)
		case size < 1:
			return fmt.Errorf("size %d: a catalog to measure has at least 1 entry", size)
		case size > MaxSize:
			return fmt.Errorf("size %d: a catalog to measure has at most %d entries", size, MaxSize)
		case size > MaxPipeSize && !c.InProcess:
			return fmt.Errorf("size %d: over the pipe a catalog to measure has at most %d entries: "+
				"measure larger ones with --in-process", size, MaxPipeSize)
		}
	}
	if c.Iterations < 1 {
		return fmt.Errorf("%d iterations: ask for at least 1", c.Iterations)
	}
	if c.Runs < 1 {
		return fmt.Errorf("%d runs: ask for at least 1", c.Runs)
	}
	return nil
}

// Run measures and reports. It fails if the configuration is wrong, a child
// process dies, an answer is wrong, or ctx ends; it removes its temporary
// folder in any case.
func Run(ctx context.Context, config Config) (*Report, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	report := &Report{
		Benchmark: Name, GeneratedAt: time.Now().UTC().Truncate(time.Millisecond),
		GoVersion: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Iterations: config.Iterations, Runs: config.Runs, InProcess: config.InProcess,
	}
	steps := &steps{report: config.Progress, total: config.steps()}
	for _, size := range config.Sizes {
		result, err := runSize(ctx, &config, steps, size)
		if ended := ctx.Err(); ended != nil {
			return nil, ended // the errors of children follow from it
		}
		if err != nil {
			return nil, fmt.Errorf("at size %d: %w", size, err)
		}
		report.Results = append(report.Results, *result)
	}
	report.Bounds = report.judge(bounds())
	return report, nil
}

// steps counts the steps done and reports progress.
type steps struct {
	report      func(done, total int, next string)
	done, total int
}

func (s *steps) show(size int, what string) {
	if s.report != nil {
		s.report(s.done, s.total, fmt.Sprintf("%d entries: %s", size, what))
	}
}

// steps returns the number of steps of a whole run.
func (c *Config) steps() int {
	total := 0
	for _, size := range c.Sizes {
		perRun := 2 + questionCount(size) // loading and indexing
		if size <= maxOnDisk {
			perRun++
		}
		if !c.InProcess {
			perRun += 2 + questionCount(size) // starting and warming up
		}
		total += 1 + c.Runs*perRun
	}
	return total
}

// Estimate is roughly how long a run takes on an idle machine with two processors.
func (c *Config) Estimate() time.Duration {
	const (
		perStep      = 150 * time.Millisecond
		perIteration = 10 * time.Millisecond // of a step, all subjects and pauses
		maxStep      = 2 * time.Second
		perEntry     = time.Millisecond // in all steps of a run
		perPiped     = 4 * perEntry     // more over the pipe
	)
	takes := time.Duration(c.steps()) * (perStep + min(maxStep, time.Duration(c.Iterations)*perIteration))
	each := perEntry
	if !c.InProcess {
		each += perPiped
	}
	for _, size := range c.Sizes {
		takes += time.Duration(c.Runs*size) * each
	}
	return takes
}

// trial is the measuring of one size.
type trial struct {
	*Config
	steps     *steps
	corpus    *corpus
	questions []question
	result    *Result       // of the present run
	readiness time.Duration // until searches had their index, in process
}

// next reports the beginning of a step.
func (t *trial) next(what string) {
	t.steps.show(t.corpus.entries, what)
	t.steps.done++
}

func runSize(ctx context.Context, config *Config, steps *steps, size int) (result *Result, err error) {
	dir, err := os.MkdirTemp("", "catalog-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := &trial{Config: config, steps: steps}
	t.corpus, err = formOf(size).generate(ctx, dir, size, seed, func(entries int) {
		steps.show(size, fmt.Sprintf("generate, %d %%", 100*entries/size))
	})
	if err != nil {
		return nil, err
	}
	steps.done++
	if _, err := t.readAndHash(); err != nil { // from now on it is in the system's cache
		return nil, err
	}
	t.questions = questions(t.corpus)
	var runs []Result
	for range config.Runs {
		if err := t.run(ctx); err != nil {
			return nil, err
		}
		runs = append(runs, *t.result)
	}
	return new(medianResult(runs)), nil
}

// run measures everything once, in process first: so it is known how long the
// index takes, which cannot be seen over the pipe.
func (t *trial) run(ctx context.Context) error {
	t.result = t.newResult()
	if err := t.measureProcess(ctx); err != nil || t.InProcess {
		return err
	}
	inProcess := t.result.Operations
	t.result = t.newResult()
	for _, measure := range []func(context.Context) error{t.measureStarts, t.measurePipe} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	t.result.Operations = append(t.result.Operations, inProcess...)
	return nil
}

func (t *trial) newResult() *Result {
	n := t.corpus.entries
	return &Result{Size: n, Form: t.corpus.form.name, CatalogBytes: t.corpus.bytes, EntryBytes: int(t.corpus.bytes) / n}
}

// readAndHash measures the floor of operations that read every file.
func (t *trial) readAndHash() (time.Duration, error) {
	start := time.Now()
	err := ReadAndHash(t.corpus.files)
	return time.Since(start), err
}
