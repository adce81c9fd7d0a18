//go:build unix

package source

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"instruction-catalog/catalog"
)

// Nothing that is not a regular file is opened: opening a named pipe would wait
// forever.
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

	// One that takes the place of a file does not make anybody wait either.
	entries := []*catalog.Entry{{Origin: catalog.Origin{Path: "pipe.md"}}}
	err = NewFolder(dir).Reread(t.Context(), entries, func(catalog.ID, string) { t.Error("read a pipe") })
	if err != nil {
		t.Errorf("got %v", err)
	}
}

// A process that may open few files reads as many folders as there are.
func TestFewDescriptors(t *testing.T) {
	const folders = 300
	contents := map[string]string{}
	for i := range folders {
		contents[fmt.Sprintf("%03d/one.md", i)] = fmt.Sprintf("# Title %d\n\nText.\n", i)
	}
	dir := t.TempDir()
	writeFiles(t, dir, contents)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	few := before
	few.Cur = min(few.Cur, 256)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	}()
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
