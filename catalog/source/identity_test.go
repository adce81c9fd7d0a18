package source

import (
	"os"
	"path/filepath"
	"testing"
)

// An identity has all that a file system says, and is kept as it is.
func TestIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a": "text"})
	id := identify(statOf(t, filepath.Join(dir, "a")))
	if id == (identity{}) {
		t.Skip("files have no identity here")
	}
	if id.device == 0 || id.inode == 0 || id.size != 4 || id.modified != modified.UnixNano() || id.changed <= id.modified {
		t.Errorf("got %+v", id)
	}
	kept := id.append(nil)
	if got := identityIn(kept); got != id || len(kept) != identityBytes {
		t.Errorf("kept as %d bytes: %+v, want %+v", len(kept), got, id)
	}
	if got := identify(statOf(t, dir)); got != (identity{}) {
		t.Errorf("a folder is %+v", got)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(filepath.Join(dir, "link"))
	if err != nil || identify(info) != (identity{}) {
		t.Errorf("a link is %+v, %v", identify(info), err)
	}
}
