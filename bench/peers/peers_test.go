package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// All contenders find the same in a generated catalog.
func TestCompare(t *testing.T) {
	c, err := compare(t.Context(), 60, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if c.Size != 60 || c.Bytes == 0 || len(c.Contenders) != 3 {
		t.Errorf("%+v", c)
	}
	for _, one := range c.Contenders {
		if one.Missing != "" {
			t.Logf("%s: %s", one.Name, one.Missing)
			continue
		}
		if len(one.Searches) != len(terms) || one.Searches[0].Count != 1 || one.Searches[1].Count != 0 || one.Searches[2].Count == 0 {
			t.Errorf("%+v", one)
		}
	}
	if ours := c.Contenders[0]; ours.Holds <= c.Bytes || ours.Build == 0 {
		t.Errorf("an index that holds %v of %v", ours.Holds, c.Bytes)
	}
}

// A peer that finds different counts is reported as an error.
func TestAgree(t *testing.T) {
	t.Parallel()
	found := func(rare, absent, common int) *contender {
		return &contender{performance: performance{Searches: []searching{{"rare", rare, 1}, {"absent", absent, 1}, {"common", common, 1}}}}
	}
	more := found(1, 0, 9)
	more.wholeFiles = true
	for _, c := range []struct {
		peer *contender
		fits bool
	}{{found(1, 0, 8), true}, {found(1, 0, 9), false}, {found(0, 0, 8), false}, {more, true}, {&contender{}, true}} {
		if err := agree([]*contender{found(1, 0, 8), c.peer}); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c.peer, err)
		}
	}
}

// SQLite searches for a term literally, including operators and quotes.
func TestSQLiteTerms(t *testing.T) {
	t.Parallel()
	c, err := openSQLite(t.Context(), []document{{"Quotes", `say "ÉCLAIR AND tea"`}, {"Other", "tea"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for term, want := range map[string]int{`"éclair and`: 1, "tea": 2, "tea*": 0, "quo": 1, "quotessay": 0} {
		if n, err := c.count(t.Context(), term); n != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", term, n, err, want)
		}
	}
}

// ripgrep counts the entries of a bundle by line.
func TestRipgrepOnABundle(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalog.jsonl")
	if err := os.WriteFile(path, []byte("{\"a\":\"Tea tea\"}\n{\"a\":\"TEA\"}\n{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := openRipgrep(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Missing != "" {
		t.Skip(c.Missing)
	}
	for term, want := range map[string]int{"tea": 2, "a": 2, "coffee": 0} {
		if n, err := c.count(t.Context(), term); n != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", term, n, err, want)
		}
	}
}

func TestSplitSizes(t *testing.T) {
	t.Parallel()
	got := splitSizes([]int{100, 1_000_000, 100_000})
	want := [][]string{{"--sizes", "100,100000"}, {"--in-process", "--sizes", "1000000"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"--sizes 5,x", "is no number of entries"},
		{"--sizes 0", "is no number of entries"},
		{"5000", "is no option"},
		{"--render --out " + dir, "measurements.json"},
	} {
		err := run(t.Context(), strings.Fields(c.args), io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
}
