package source

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"instruction-catalog/catalog"
)

// affordable is the maximum number of bytes that reading a hostile file may allocate in
// total. Allocated memory has to be filled, so the limit also bounds the time on any
// machine.
const affordable = 100 << 20

// spending returns the number of bytes that do allocates. Nothing else may run at the
// same time. A test that calls it must therefore not be parallel, and the race detector
// has nothing to find.
func spending(t *testing.T, do func()) uint64 {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile sizes take long under the race detector")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestHostileCommand(t *testing.T) {
	dir := t.TempDir()
	var names strings.Builder
	for i := 0; names.Len() < 2<<20; i++ {
		fmt.Fprintf(&names, "k%d = 1\n", i)
	}
	writeFiles(t, dir, map[string]string{".gemini/commands/a.toml": "prompt = \"x\"\n" + names.String()})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	if got := summary(s); !strings.Contains(got, "a.toml: error: the command has ") {
		t.Error(got)
	}
}

// The mentions in an AGENTS.md are examined before it is known whether the file is read.
func TestHostileMentions(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"AGENTS.md": strings.Repeat("@a.md ", MaxFile/6)})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > 2*affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	if got := summary(s); !strings.Contains(got, "1000000 are allowed") {
		t.Error(got)
	}
}

// A bundle of a few kilobytes may expand to gigabytes or to millions of lines.
func TestHostileBundles(t *testing.T) {
	const size = 16 << 20
	for _, line := range []string{"\n", "x\n", "{}\n", `{"a":1}` + "\n", minimal("a") + "\n", "[", "x", "{\"\":"} {
		path := filepath.Join(t.TempDir(), "b.jsonl.zst")
		writeRepeated(t, path, line, size)
		var err error
		if spent := spending(t, func() { _, err = New(path).Load(t.Context()) }); spent > affordable {
			t.Errorf("%.10q: %d bytes were allocated", line, spent)
		}
		if err == nil || !strings.Contains(err.Error(), "it expands to more than ") {
			t.Errorf("%.10q: got %v", line, err)
		}
	}
}

// Empty frames and blocks count toward the limit like others.
func TestHostileFrames(t *testing.T) {
	t.Parallel()
	const (
		head     = "\x28\xb5\x2f\xfd\x04\x00"     // header of a frame with a checksum and a window of 1 KiB
		block    = "\x00\x00\x00"                 // an empty block
		end      = "\x01\x00\x00\x99\xe9\xd8\x51" // an empty last block and the checksum of empty content
		skipped  = "\x50\x2a\x4d\x18\x00\x00\x00\x00"
		expected = "it has more compressed parts than instructions of its size ever have"
	)
	for name, tt := range map[string]struct {
		content string
		said    string
	}{
		"frames":  {strings.Repeat(head+end, freeParts), expected},
		"blocks":  {head + strings.Repeat(block, freeParts) + end, expected},
		"skipped": {strings.Repeat(skipped, freeParts), expected},
		"few":     {strings.Repeat(skipped, 100) + strings.Repeat(head+strings.Repeat(block, 20)+end, 100), ""},
	} {
		_, err := New(writeBundle(t, "b.jsonl.zst", tt.content)).Load(t.Context())
		if tt.said == "" && err != nil || tt.said != "" && (err == nil || !strings.Contains(err.Error(), tt.said)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// writeRepeated writes a compressed file that repeats a text up to the given number of
// bytes.
func writeRepeated(t *testing.T, path, text string, size int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	part := []byte(strings.Repeat(text, (1<<20)/len(text)))
	for written := 0; written < size; written += len(part) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Folders nested deeper than the limit are not read and are reported.
func TestHostileFolders(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	deepest := strings.Repeat("d/", maxFolders)
	if err := root.MkdirAll(deepest, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{deepest + "a.md": "a"})
	if s := load(t, dir); len(s.Entries()) != 1 || len(s.Diagnostics()) != 0 {
		t.Error(summary(s))
	}
	below := filepath.Join(dir, filepath.FromSlash(deepest))
	for range 10 {
		below = filepath.Join(below, strings.Repeat("d/", 100))
	}
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Skip("no such paths here:", err)
	}
	writeFiles(t, below, map[string]string{"b.md": "b"})
	folder := NewFolder(dir)
	s, err := folder.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s, string(s.Entries()[0].ID)+" "+deepest+"a.md",
		deepest+"d: error: folders are nested more than 64 deep, and this one was not read: move it up, or begin its name with '_' to leave it out")
	if n := len(folder.Folders()); n != maxFolders+1 {
		t.Errorf("looked into %d folders", n)
	}
}

// The total length of the rules is limited, not only their number.
func TestLongRules(t *testing.T) {
	dir := t.TempDir()
	rule := "*[" + strings.Repeat("z", 2000) + "]q\n"
	writeFiles(t, dir, map[string]string{"a.md": "a", ".gitignore": strings.Repeat(rule, 1990)})
	if got := summary(load(t, dir)); !strings.Contains(got, ".gitignore: error: there are more than 2000 rules, or 65536 bytes") {
		t.Error(got)
	}
}

// Every file is matched against every rule that applies.
func TestHostileRules(t *testing.T) {
	dir := t.TempDir()
	rules := strings.Repeat("*a*b*c*d*e*f*g*\n", MaxFile/16)
	writeFiles(t, dir, map[string]string{"a.md": "a", ".gitignore": "b.md\n", "b.md": "b", "c/c.md": "c", "c/.gitignore": rules})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	got := summary(s)
	if !strings.Contains(got, "c/.gitignore: error: there are more than 2000 rules, or 65536 bytes of them, here and in the folders above, so these were ignored") || strings.Contains(got, "b b.md") {
		t.Error(got)
	}
}
