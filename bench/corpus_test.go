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

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, 1000} {
		found := map[string]int{}
		for _, f := range filesOf(n, seed) {
			lower := bytes.ToLower(f.Data)
			for _, term := range []string{RareTerm, AbsentTerm, CommonTerm} {
				if bytes.Contains(lower, []byte(term)) {
					found[term]++
				}
			}
		}
		if found[RareTerm] != 1 || found[AbsentTerm] != 0 || found[CommonTerm] == 0 || found[CommonTerm] < n*9/10-1 {
			t.Errorf("of %d entries, the terms are in %v", n, found)
		}
	}
}

// A generated catalog is one that nobody would have to say anything about.
func TestGenerateIsClean(t *testing.T) {
	t.Parallel()
	const n = 200
	dir := filepath.Join(t.TempDir(), "made")
	if err := Generate(t.Context(), dir, n, seed); err != nil {
		t.Fatal(err)
	}
	registry, err := newRegistry(dir)
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
		t.Errorf("%d entries, %d drifted, diagnostics %s", report.Count, report.IssueCount, report.Diagnostics)
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

// filesOf makes the files of a catalog without writing them.
func filesOf(n int, seed uint64) []File {
	g := newGenerator(n, seed)
	files := make([]File, n)
	for i := range files {
		files[i] = g.file(i)
	}
	return files
}
