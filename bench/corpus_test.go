package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesAreDeterministic(t *testing.T) {
	t.Parallel()
	first, again, other := filesOf(300, 7), filesOf(300, 7), filesOf(300, 8)
	same := 0
	for i := range first {
		if first[i].Path != again[i].Path || !bytes.Equal(first[i].Data, again[i].Data) {
			t.Fatalf("file %d differs between two generations of one seed", i)
		}
		if bytes.Equal(first[i].Data, other[i].Data) {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 300 files are the same under another seed", same)
	}
}

func TestFilesShape(t *testing.T) {
	t.Parallel()
	files := filesOf(3000, seed)
	total, markdown, foreign := 0, 0, 0
	folders, paths := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		total += len(f.Data)
		paths[f.Path] = true
		folders[filepath.Dir(f.Path)] = true
		if strings.HasSuffix(f.Path, ".md") {
			markdown++
		}
		if bytes.ContainsFunc(f.Data, func(r rune) bool { return r > 0x7F }) {
			foreign++
		}
	}
	if average := total / len(files); average < 1700 || average > 1900 {
		t.Errorf("files are %d bytes on average, want about 1,800", average)
	}
	if len(paths) != len(files) || len(folders) != len(topics) {
		t.Errorf("%d paths in %d folders, want %d in %d", len(paths), len(folders), len(files), len(topics))
	}
	if markdown != len(files)/3 {
		t.Errorf("%d files of %d are Markdown, want a third", markdown, len(files))
	}
	if foreign < len(files)/4 || foreign > len(files)*3/4 {
		t.Errorf("%d files of %d are not ASCII, want about half", foreign, len(files))
	}
}

// These facts hold for every catalog.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, 6000} {
		for _, f := range []*form{&folderForm, &bundleForm} {
			truth := truthOf(t, f, n)
			if truth.entries != n || len(truth.known) != n || truth.rare == "" || truth.some == "" {
				t.Errorf("%d entries: %d, %d known, %q, %q", n, truth.entries, len(truth.known), truth.rare, truth.some)
			}
			if truth.with[RareTerm] != 1 || truth.with[AbsentTerm] != 0 || truth.with[absentTwoByteTerm] != 0 || truth.with[CommonTerm] == 0 {
				t.Errorf("of %d entries, the terms are in %v", n, truth.with)
			}
		}
	}
}

// The terms occur in the shares that their names state.
func TestShares(t *testing.T) {
	t.Parallel()
	const n = 10_000
	for _, f := range []*form{&folderForm, &bundleForm} {
		truth := truthOf(t, f, n)
		for term, share := range map[string][2]float64{
			f.eighth: {0.115, 0.145}, f.nearlyAll: {0.96, 0.99}, CommonTerm: {0.75, 0.97},
			oneByteTerm: {0.03, 0.15}, twoByteTerm: {0.7, 0.95}, twoWordTerm: {0.0001, 0.01},
			acrossTerm: {0.1, 0.5},
		} {
			if got := float64(truth.with[term]) / n; got < share[0] || got > share[1] {
				t.Errorf("%s: %q is in %.3f of the entries, want %v", f.name, term, got, share)
			}
		}
		if truth.category < n/10 || truth.category > n/7 {
			t.Errorf("%s: %d of %d entries are of the category", f.name, truth.category, n)
		}
	}
}

func truthOf(t *testing.T, f *form, n int) *truth {
	t.Helper()
	truth, err := f.entries(t.Context(), n, seed, func(File) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return &truth
}

// A generated catalog has no findings.
func TestGenerateIsClean(t *testing.T) {
	t.Parallel()
	const n = 200
	for _, f := range []*form{&folderForm, &bundleForm} {
		c, err := f.generate(t.Context(), filepath.Join(t.TempDir(), "made"), n, seed, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		checkClean(t, c, n)
	}
}

func checkClean(t *testing.T, c *corpus, n int) {
	t.Helper()
	registry, err := newRegistry(c.path)
	if err != nil {
		t.Fatal(err)
	}
	result, failure := registry.Call(context.Background(), "integrity/verify", json.RawMessage(`{"detail":true}`))
	if failure != nil {
		t.Fatal(failure)
	}
	var report struct {
		Count, IssueCount int
		Diagnostics       []json.RawMessage
	}
	if err := json.Unmarshal(result.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Count != n || report.IssueCount != 0 || len(report.Diagnostics) != 0 {
		t.Errorf("%s: %d entries, %d drifted, diagnostics %s", c.form.name, report.Count, report.IssueCount, report.Diagnostics)
	}
}

func TestGenerateWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Generate(t.Context(), file, 1, seed); err == nil {
		t.Error("no error where the folder is a file")
	}
}

// filesOf generates the files of a folder in memory.
func filesOf(n int, seed uint64) []File { return made(&folderForm, n, seed) }

func made(f *form, n int, seed uint64) (files []File) {
	_, err := f.entries(context.Background(), n, seed, func(file File) error {
		files = append(files, file)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return files
}
