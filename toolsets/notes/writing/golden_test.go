package writing

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what comes out into testdata")

// TestGolden checks the recorded effect of a rename on a documentation vault: only links
// and the file name change.
func TestGolden(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("testdata/vault")))
	w := writerTo(dir)
	before := contents(t, dir)
	id := retitle(t, w, "guides/getting-started.md", "First Steps")
	after := contents(t, dir)
	moved := before["guides/getting-started.md"]
	delete(before, "guides/getting-started.md")
	before[string(id)] = moved
	got := diff(before, after)
	if *update {
		must(t, os.WriteFile("testdata/rename.diff", []byte(got), 0o644))
	}
	want, err := fs.ReadFile(os.DirFS("testdata"), "rename.diff")
	if err != nil || got != string(want) {
		t.Errorf("got\n%s\nwant\n%s%v", got, want, err)
	}
}

// diff returns the lines that differ between files with equal numbers of lines.
func diff(before, after map[string]string) string {
	names := []string{}
	for name := range before {
		names = append(names, name)
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		old, now := strings.Split(before[name], "\n"), strings.Split(after[name], "\n")
		if before[name] == after[name] {
			continue
		}
		fmt.Fprintf(&b, "%s, %d lines, then %d\n", name, len(old), len(now))
		for i := range min(len(old), len(now)) {
			if old[i] != now[i] {
				fmt.Fprintf(&b, "-%s\n+%s\n", old[i], now[i])
			}
		}
	}
	return b.String()
}
