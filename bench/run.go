package bench

import (
	"context"
	"errors"
	"fmt"
	"os"

	"instruction-catalog/rpc"
)

// Config says what to measure.
type Config struct {
	Sizes      []int // entries, each at least 1
	Iterations int   // of each operation at each size, at least 1

	Server   func(dir string) Command                // serves the catalog in dir on its standard streams
	Floor    Command                                 // runs ServeFloor on its standard streams
	Registry func(dir string) (*rpc.Registry, error) // the same methods, in process

	// Progress, unless nil, is told of each step before it begins: how many are
	// done, of how many, and what comes next.
	Progress func(done, total int, next string)
}

// seed of the generated catalogs: every run measures the same texts.
const seed = 1

// Run measures and reports. It fails where the configuration is wrong, a child
// process dies or answers what it should not, or ctx ends; its temporary
// folder is removed in any case.
func Run(ctx context.Context, config Config) (*Report, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	report := newReport(config.Iterations)
	steps := &steps{report: config.Progress, total: len(config.Sizes) * stepsPerSize}
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
	return report, nil
}

// MaxSize is the largest catalog that is measured, in entries. It takes some 2
// KB of disk and 20 KB of memory each.
const MaxSize = 100_000

func (c *Config) check() error {
	if len(c.Sizes) == 0 {
		return errors.New("no sizes: name at least one")
	}
	for _, size := range c.Sizes {
		if size < 1 {
			return fmt.Errorf("size %d: a catalog to measure has at least 1 entry", size)
		}
		if size > MaxSize {
			return fmt.Errorf("size %d: a catalog to measure has at most %d entries", size, MaxSize)
		}
	}
	if c.Iterations < 1 {
		return fmt.Errorf("%d iterations: ask for at least 1", c.Iterations)
	}
	return nil
}

// steps counts what has been done.
type steps struct {
	report      func(done, total int, next string)
	done, total int
}

func (s *steps) next(size int, what string) {
	if s.report != nil {
		s.report(s.done, s.total, fmt.Sprintf("%d entries: %s", size, what))
	}
	s.done++
}

// trial is the measuring of one size.
type trial struct {
	*Config
	steps  *steps
	dir    string   // the generated catalog
	files  []string // in it
	result *Result
}

// stepsPerSize is how many steps a trial has: generating, starts, and every
// question over both transports.
const stepsPerSize = 2 + 2*questionCount

func runSize(ctx context.Context, config *Config, steps *steps, size int) (result *Result, err error) {
	dir, err := os.MkdirTemp("", "catalog-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	steps.next(size, "generate")
	t := &trial{Config: config, steps: steps, dir: dir, result: &Result{Size: size}}
	if err := t.generate(ctx); err != nil {
		return nil, err
	}
	if err := t.measureStarts(ctx); err != nil {
		return nil, err
	}
	questions, err := t.measurePipe(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.measureProcess(ctx, questions); err != nil {
		return nil, err
	}
	t.result.addSearch()
	return t.result, nil
}

// generate writes the catalog and reads it once, so that from then on
// everybody finds it in the system's cache.
func (t *trial) generate(ctx context.Context) error {
	if err := Generate(ctx, t.dir, t.result.Size, seed); err != nil {
		return err
	}
	var err error
	if t.files, err = filesIn(t.dir); err != nil {
		return err
	}
	for _, path := range t.files {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		t.result.CatalogBytes += info.Size()
	}
	return ReadAndHash(t.files)
}
