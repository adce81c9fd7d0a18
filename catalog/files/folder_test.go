package files

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "sub", "folder"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "sub", "file"), []byte("content"), 0o600))
	if err := os.Symlink("file", filepath.Join(dir, "sub", "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	types := map[string]fs.FileMode{}
	members, err := List(openRoot(t, dir), "sub")
	must(t, err)
	for _, m := range members {
		types[m.Name()] = m.Type()
	}
	if want := map[string]fs.FileMode{"file": 0, "folder": fs.ModeDir, "link": fs.ModeSymlink}; !maps.Equal(types, want) {
		t.Errorf("got %v, want %v", types, want)
	}
}

func TestNoFolder(t *testing.T) {
	t.Parallel()
	dir, _ := write(t, "content")
	if _, err := List(openRoot(t, dir), "missing"); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
