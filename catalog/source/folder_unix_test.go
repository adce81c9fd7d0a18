//go:build unix

package source

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"instruction-catalog/catalog"
)

// Nothing that is no regular file is opened: opening a named pipe would wait
// for ever.
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
		"link.json: error: "+errNotRegular.Error(),
		"pipe.md: error: "+errNotRegular.Error(),
		"s.json: error: "+errNotRegular.Error())

	// One that takes the place of a file does not make anybody wait either.
	entries := []*catalog.Entry{{Origin: catalog.Origin{Path: "pipe.md"}}}
	err = NewFolder(dir, nil).Reread(t.Context(), entries, func(catalog.ID, string) { t.Error("read a pipe") })
	if err != nil {
		t.Errorf("got %v", err)
	}
}
