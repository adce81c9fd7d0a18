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
	Sizes      []int // numbers of entries; no duplicates; from 1 to MaxPipeSize, or to MaxSize with InProcess
	Iterations int   // repetitions of each operation at each size in each run; at least 1
	Runs       int   // at least 1; the report has the medians over all runs
	InProcess  bool  // measure only in process, not over the pipe

	Server func(path string) Command // returns a command that serves the catalog at path on its standard streams
	Floor  Command                   // runs ServeFloor on its standard streams
	// Open returns the same server in process. It keeps usage counts in the file
	// journal, or in memory if journal is empty.
	Open func(path, journal string) (*Local, error)

	// Progress, if not nil, is called before each step and sometimes during a long one.
	// It gets the number of steps done, the total, and the next step.
	Progress func(done, total int, next string)
}

// Local is a server that is called in process.
type Local struct {
	Registry *rpc.Registry
	// BuildIndex returns once the search index is built. Without this call, the index
	// is built in the background after the catalog is loaded.
	BuildIndex func(context.Context) error
}

// seed is the seed of the generated catalogs. Every run measures the same texts.
const seed = 1

// MaxSize is the largest catalog that is measured, and MaxPipeSize the largest that is
// measured over the pipe, in entries. Clients do not request longer lists. An entry of
// a catalog this large takes 1 KB of disk.
const (
	MaxSize     = 1_000_000
	MaxPipeSize = 100_000
)

// Check returns an error if the sizes, iterations or runs are invalid.
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

// Run runs the benchmark and returns its report. It fails if config is invalid, a child
// process dies, an answer is wrong, or ctx is done. It always removes its temporary
// folder.
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
			return nil, ended // errors of children are only consequences
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

// steps returns the total number of steps.
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

// Estimate returns roughly how long a run takes on an idle machine with two processors.
func (c *Config) Estimate() time.Duration {
	const (
		perStep      = 150 * time.Millisecond
		perIteration = 10 * time.Millisecond // in one step, for all subjects and pauses
		maxStep      = 2 * time.Second
		perEntry     = time.Millisecond // in all steps of one run
		perPiped     = 4 * perEntry     // additional time over the pipe
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

// trial measures one size.
type trial struct {
	*Config
	steps     *steps
	corpus    *corpus
	questions []question
	result    *Result       // of the current run
	readiness time.Duration // from the first call until the search index was built, in process
}

// next reports that a step begins.
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
	if _, err := t.readAndHash(); err != nil { // loads the files into the system's cache
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

// run measures everything once. It measures in process first to learn how long the
// index takes, which cannot be observed over the pipe.
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

// readAndHash is a subject: the floor of operations that read every file.
func (t *trial) readAndHash() (time.Duration, error) {
	start := time.Now()
	err := ReadAndHash(t.corpus.files)
	return time.Since(start), err
}
