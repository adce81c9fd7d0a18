//go:build unix

package source

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"instruction-catalog/catalog"
)

// Only regular files are opened, because opening a named pipe would block forever.
func TestIrregularFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a"})
	for _, name := range []string{"pipe.md", "pipe.txt"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip("no named pipes here:", err)
		}
	}
	if err := os.Symlink("pipe.txt", filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "s.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	expect(t, load(t, dir), "a a.md",
		`.: note: not read: 1 file *.txt, "pipe.txt": `+noInstruction,
		"link.json: error: "+errNotRegular.Error(),
		"pipe.md: error: "+errNotRegular.Error(),
		"s.json: error: "+errNotRegular.Error())

	// A pipe that replaces a file does not block the load, either.
	entries := []*catalog.Entry{{Origin: catalog.Origin{Path: "pipe.md"}}}
	err = NewFolder(dir).Reread(t.Context(), entries, func(catalog.ID, string) { t.Error("read a pipe") })
	if err != nil {
		t.Errorf("got %v", err)
	}
}

// A process with a low limit of open files can read any number of folders.
func TestFewDescriptors(t *testing.T) {
	const folders = 300
	contents := map[string]string{}
	for i := range folders {
		contents[fmt.Sprintf("%03d/one.md", i)] = fmt.Sprintf("# Title %d\n\nText.\n", i)
	}
	dir := t.TempDir()
	writeFiles(t, dir, contents)
	allowFiles(t, 256)
	s, err := NewFolder(dir).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Diagnostics() {
		if d.Severity == catalog.SeverityError {
			t.Fatalf("%s: %s", d.Path, d.Message)
		}
	}
}

// allowFiles limits the number of files that this process may open, until the test ends.
func allowFiles(t *testing.T, most uint64) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	few := before
	few.Cur = min(few.Cur, most)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	})
}

// If no more files can be opened, the load fails as a whole and reports no defect of the
// catalog's files.
func TestNoDescriptors(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.md": "a", "b/b.md": "b", "b/AGENTS.md": "@../c/c.md", "c/.gitignore": "x.md\n", "c/c.md": "c", "c/x.md": "x",
		"d.jsonl": minimal("d"),
	})
	if err := os.Symlink("../b/b.md", filepath.Join(dir, "c", "d.md")); err != nil {
		t.Fatal(err)
	}
	bundle := New(filepath.Join(dir, "d.jsonl"))
	all, one := load(t, dir), loadSource(t, filepath.Join(dir, "d.jsonl"))
	allowFiles(t, 256)
	loaded := 0
	for free := range 10 {
		leave := occupyFiles(t, free)
		s, err := NewFolder(dir).Load(t.Context())
		rereadErr := NewFolder(dir).Reread(t.Context(), all.Entries(), func(catalog.ID, string) {})
		bundled, bundleErr := bundle.Load(t.Context())
		bundleRereadErr := bundle.Reread(t.Context(), nil, func(catalog.ID, string) {})
		leave()
		for _, err := range []error{err, rereadErr, bundleErr, bundleRereadErr} {
			if err != nil && !strings.Contains(err.Error(), "no more files can be opened (too many open files): raise the limit") {
				t.Errorf("%d files: %v", free, err)
			}
		}
		if err == nil && s.Revision() != all.Revision() || bundleErr == nil && bundled.Revision() != one.Revision() {
			t.Errorf("%d files: a part was loaded:\n%s", free, summary(s))
		}
		if err == nil && rereadErr == nil {
			loaded++
		}
	}
	if loaded == 0 || loaded == 10 {
		t.Errorf("loaded %d times", loaded)
	}
}

// occupyFiles opens files until only the given number can still be opened.
func occupyFiles(t *testing.T, free int) (leave func()) {
	t.Helper()
	var opened []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		opened = append(opened, f)
	}
	for range free {
		_ = opened[0].Close()
		opened = opened[1:]
	}
	return func() {
		for _, f := range opened {
			_ = f.Close()
		}
	}
}

// A pipe without a writer must not block the answer.
func TestGatesPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, catalog.GatesFile), 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if _, err := New(dir).Gates(); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("got %v", err)
	}
}
