package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"instruction-catalog/bench"
)

// comparison is what was found at one size, beside the peers.
type comparison struct {
	Size       int           `json:"size"`
	Bytes      byteCount     `json:"bytes"` // of titles and bodies
	Contenders []performance `json:"contenders"`
}

// performance is what was found of one contender.
type performance struct {
	Name     string       `json:"name"`
	Version  string       `json:"version,omitempty"`
	Missing  string       `json:"missing,omitempty"` // why nothing was measured
	Build    milliseconds `json:"buildMs,omitempty"` // of the index
	Holds    byteCount    `json:"holdsBytes,omitempty"`
	Searches []searching  `json:"searches,omitempty"`
}

// searching is what was found of one contender for one term.
type searching struct {
	Term  string       `json:"term"`  // which kind it is of: see terms
	Count int          `json:"count"` // of entries found
	P50   milliseconds `json:"p50Ms"`
}

// terms are what is looked for, in any case.
var terms = []struct {
	kind, text string
	elsewhere  bool // stands also in fields that are neither title nor body
}{
	{kind: "rare", text: bench.RareTerm},
	{kind: "absent", text: bench.AbsentTerm},
	{kind: "common", text: bench.CommonTerm, elsewhere: true},
}

// contender is one that can be asked how many entries contain a term.
type contender struct {
	performance
	wholeFiles bool // finds also what is neither title nor body
	count      func(ctx context.Context, term string) (int, error)
	close      func() error
}

// rounds is how often each is asked for each term, in turn, so that what slows
// the machine down slows all of them. In each round they are asked twice, and
// the second time counts: whoever comes after a process finds the processor's
// caches full of other things.
const rounds = 11

// seed of the texts: that of catalog bench.
const seed = 1

// compare generates a catalog and measures everybody on it.
func compare(ctx context.Context, size int, progress func(string)) (found *comparison, err error) {
	dir, err := os.MkdirTemp("", "catalog-peers-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	progress("generate")
	if err := bench.Generate(ctx, dir, size, seed); err != nil {
		return nil, err
	}
	c := &comparison{Size: size}
	contenders, err := c.open(ctx, dir, progress)
	defer func() {
		for _, one := range contenders {
			err = errors.Join(err, one.close())
		}
	}()
	if err != nil {
		return nil, err
	}
	for _, term := range terms {
		progress("search " + term.kind)
		if err := search(ctx, contenders, term.kind, term.text); err != nil {
			return nil, err
		}
	}
	for _, one := range contenders {
		c.Contenders = append(c.Contenders, one.performance)
	}
	return c, agree(contenders)
}

// open makes everybody ready. What it returns is to be closed, with an error,
// too.
func (c *comparison) open(ctx context.Context, dir string, progress func(string)) ([]*contender, error) {
	path, bundled := catalogIn(dir)
	progress("catalog")
	ours, texts, err := openCatalog(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		c.Bytes += byteCount(len(t.Title) + len(t.Body))
	}
	contenders := []*contender{ours}
	progress("SQLite builds its index")
	sqlite, err := openSQLite(ctx, texts)
	if err != nil {
		return contenders, err
	}
	contenders = append(contenders, sqlite)
	ripgrep, err := openRipgrep(ctx, path, bundled)
	if err != nil {
		return contenders, err
	}
	return append(contenders, ripgrep), nil
}

// search asks all in turn.
func search(ctx context.Context, contenders []*contender, kind, term string) error {
	took := make([][]time.Duration, len(contenders))
	counts := make([]int, len(contenders))
	for range rounds {
		for i, c := range contenders {
			if c.Missing != "" {
				continue
			}
			_, first := c.count(ctx, term)
			start := time.Now()
			count, err := c.count(ctx, term)
			took[i], counts[i] = append(took[i], time.Since(start)), count
			if err := errors.Join(first, err); err != nil {
				return fmt.Errorf("%s looks for %q: %w", c.Name, term, err)
			}
		}
	}
	for i, c := range contenders {
		if c.Missing == "" {
			c.Searches = append(c.Searches, searching{kind, counts[i], median(took[i])})
		}
	}
	return nil
}

// agree reports contenders that found something else than the first, where they
// looked at the same texts.
func agree(contenders []*contender) error {
	for _, c := range contenders[1:] {
		for i, s := range c.Searches {
			want := contenders[0].Searches[i].Count
			if s.Count != want && !(c.wholeFiles && terms[i].elsewhere) {
				return fmt.Errorf("%s finds %s in %d entries, %s in %d: one of them is wrong",
					c.Name, terms[i].text, s.Count, contenders[0].Name, want)
			}
		}
	}
	return nil
}

func median(took []time.Duration) milliseconds {
	slices.Sort(took)
	return inMilliseconds(took[len(took)/2])
}

func inMilliseconds(d time.Duration) milliseconds { return milliseconds(d.Seconds() * 1000) }
