package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"instruction-catalog/bench"
)

// comparison holds the results of all contenders at one size.
type comparison struct {
	Size       int           `json:"size"`
	Bytes      bench.Bytes   `json:"bytes"` // of titles and bodies
	Contenders []performance `json:"contenders"`
}

// performance holds the results of one contender.
type performance struct {
	Name     string             `json:"name"`
	Version  string             `json:"version,omitempty"`
	Missing  string             `json:"missing,omitempty"` // why nothing was measured; "" if it was
	Build    bench.Milliseconds `json:"buildMs,omitempty"` // time to build the index
	Holds    bench.Bytes        `json:"holdsBytes,omitempty"`
	Searches []searching        `json:"searches,omitempty"`
}

// searching holds the result of one contender for one term.
type searching struct {
	Term  string             `json:"term"`  // kind of term: see terms
	Count int                `json:"count"` // number of matching entries
	P50   bench.Milliseconds `json:"p50Ms"`
}

// terms are the search terms. Case is ignored.
var terms = []struct {
	kind, text string
	elsewhere  bool // also occurs in fields other than title and body
}{
	{kind: "rare", text: bench.RareTerm},
	{kind: "absent", text: bench.AbsentTerm},
	{kind: "common", text: bench.CommonTerm, elsewhere: true},
}

// contender counts the entries that contain a term.
type contender struct {
	performance
	wholeFiles bool // whether it also searches fields other than title and body
	count      func(ctx context.Context, term string) (int, error)
	close      func() error // nil if there is nothing to close
}

// document is a text that all contenders search.
type document struct{ Title, Body string }

// rounds is the number of rounds for each term. In a round, contenders are measured in
// turn, so that a slow machine slows all of them. Each contender searches twice and
// only the second search counts, because the processor's caches are cold after another
// process ran.
const rounds = 11

// seed is the seed of the texts, the same as for catalog bench.
const seed = 1

// compare generates a catalog and measures all contenders on it.
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
	path := dir
	bundle := filepath.Join(dir, bench.BundleName)
	if _, err := os.Stat(bundle); err == nil {
		path = bundle
	}
	var contenders []*contender
	defer func() {
		for _, c := range contenders {
			if c.close != nil {
				err = errors.Join(err, c.close())
			}
		}
	}()
	c := &comparison{Size: size}
	var texts []document
	for _, peer := range []struct {
		name string
		open func() (*contender, error)
	}{
		{"catalog", func() (ours *contender, err error) { ours, texts, err = openCatalog(ctx, path); return ours, err }},
		{"SQLite", func() (*contender, error) { return openSQLite(ctx, texts) }},
		{"ripgrep", func() (*contender, error) { return openRipgrep(ctx, path) }},
	} {
		progress("open " + peer.name)
		one, err := peer.open()
		if err != nil {
			return nil, err
		}
		contenders = append(contenders, one)
	}
	for _, t := range texts {
		c.Bytes += bench.Bytes(len(t.Title) + len(t.Body))
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

// search measures all contenders in turn for one term and appends the results to them.
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
			slices.Sort(took[i])
			c.Searches = append(c.Searches, searching{kind, counts[i], inMilliseconds(took[i][rounds/2])})
		}
	}
	return nil
}

// agree returns an error if contenders that searched the same texts found different
// counts.
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

func inMilliseconds(d time.Duration) bench.Milliseconds {
	return bench.Milliseconds(d.Seconds() * 1000)
}
