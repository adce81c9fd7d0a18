package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"instruction-catalog/rpc"
)

// Config says what to measure.
type Config struct {
	Sizes      []int // entries, each once, at least 1, at most MaxPipeSize, or with InProcess MaxSize
	Iterations int   // of each operation at each size in each run, at least 1
	Runs       int   // at least 1; of what they find, the report has the medians
	InProcess  bool  // ask in process only, and not over the pipe

	Server func(path string) Command         // serves the catalog at path on its standard streams
	Floor  Command                           // runs ServeFloor on its standard streams
	Open   func(path string) (*Local, error) // the same methods, in process
	Empty  func() *rpc.Registry              // no methods, under the same contract

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
// that is measured over the pipe, in entries: beyond it lists are answers that
// nobody would ask for. Entries of such catalogs take 1 KB of disk each.
const (
	MaxSize     = 1_000_000
	MaxPipeSize = 100_000
)

// Check reports what is wrong with what a person chooses: sizes, iterations
// and runs.
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

// Run measures and reports. It fails where the configuration is wrong, a child
// process dies, an answer is not what it must be, or ctx ends; its temporary
// folder is removed in any case.
func Run(ctx context.Context, config Config) (*Report, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	report := newReport(&config)
	steps := &steps{report: config.Progress, total: config.steps()}
	for _, size := range config.Sizes {
		result, err := runSize(ctx, &config, steps, size)
		if ended := ctx.Err(); ended != nil {
			return nil, ended // whatever it made of the children
		}
		if err != nil {
			return nil, fmt.Errorf("at size %d: %w", size, err)
		}
		report.Results = append(report.Results, *result)
	}
	report.Bounds = report.judge(bounds())
	return report, nil
}

// steps counts what has been done.
type steps struct {
	report      func(done, total int, next string)
	done, total int
}

func (s *steps) next(size int, what string) {
	s.tell(size, what)
	s.done++
}

// tell says what comes next, or what the present step is about.
func (s *steps) tell(size int, what string) {
	if s.report != nil {
		s.report(s.done, s.total, fmt.Sprintf("%d entries: %s", size, what))
	}
}

// steps is how many steps a run of everything has.
func (c *Config) steps() int {
	total := 0
	for _, size := range c.Sizes {
		asked := questionCount(size)
		perRun := 2 + asked + 1 // loading and indexing, the questions, dispatching
		if size <= maxKept {
			perRun++
		}
		if size <= maxReload {
			perRun++
		}
		if !c.InProcess {
			perRun += 2 + asked // starting, warming up, the questions
			if follows(size) {
				perRun += 4 // resting, an edit, what edits have changed, many edits
			}
		}
		total += 1 + c.Runs*perRun
	}
	return total
}

// Estimate is roughly how long a run takes on a machine with two processors that
// has nothing else to do.
func (c *Config) Estimate() time.Duration {
	const (
		aStep     = 150 * time.Millisecond // whatever is asked
		iteration = 10 * time.Millisecond  // of a step, all of its subjects and pauses
		longest   = 2 * time.Second        // that a step goes on
		entry     = time.Millisecond       // of a catalog, in all steps of a run
		piped     = 4 * entry              // more over the pipe
	)
	takes := time.Duration(c.steps()) * (aStep + min(longest, time.Duration(c.Iterations)*iteration))
	each := entry
	if !c.InProcess {
		each += piped
	}
	for _, size := range c.Sizes {
		takes += time.Duration(c.Runs*size) * each
	}
	return takes
}

// trial is the measuring of one size.
type trial struct {
	*Config
	steps  *steps
	corpus *corpus
	asked  []question
	result *Result // of the present run
}

func (t *trial) next(what string) { t.steps.next(t.corpus.truth.entries, what) }

func runSize(ctx context.Context, config *Config, steps *steps, size int) (result *Result, err error) {
	dir, err := os.MkdirTemp("", "catalog-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := &trial{Config: config, steps: steps}
	if err := t.generate(ctx, dir, size); err != nil {
		return nil, err
	}
	var runs []Result
	for range config.Runs {
		t.result = t.corpus.newResult()
		if err := t.run(ctx); err != nil {
			return nil, err
		}
		t.result.addSearch()
		runs = append(runs, *t.result)
	}
	return new(medianResult(runs)), nil
}

// run measures everything once, in process first: so it is known how long the
// index takes, which nobody can see over the pipe.
func (t *trial) run(ctx context.Context) error {
	if err := t.measureProcess(ctx); err != nil || t.InProcess {
		return err
	}
	inProcess := t.result.Operations
	t.result.Operations = nil
	if err := t.measureStarts(ctx); err != nil {
		return err
	}
	if err := t.measurePipe(ctx); err != nil {
		return err
	}
	if err := t.measureFollowing(ctx); err != nil {
		return err
	}
	t.result.Operations = append(t.result.Operations, inProcess...)
	return nil
}

// generate writes the catalog and reads it once, so that from then on
// everybody finds it in the system's cache.
func (t *trial) generate(ctx context.Context, dir string, size int) (err error) {
	t.steps.next(size, "generate")
	t.corpus, err = formOf(size).generate(ctx, dir, size, seed, func(entries int) {
		if entries < size {
			t.steps.tell(size, fmt.Sprintf("generate, %d %%", 100*entries/size))
		}
	})
	if err != nil {
		return err
	}
	t.asked = questions(t.corpus)
	return ReadAndHash(t.corpus.files)
}
