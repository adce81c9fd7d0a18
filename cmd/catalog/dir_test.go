package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestForeignFolderAbove checks that a catalog of another user in a parent folder is
// not read.
func TestForeignFolderAbove(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here := filepath.Join(top, "work")
	theirs := filepath.Join(top, "instructions")
	for _, dir := range []string{here, theirs, filepath.Join(top, ".git")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{env: func(string) string { return "" }}
	if got := a.findAbove(here); got != (above{project: ".."}) {
		t.Errorf("one's own: %+v", got)
	}
	const nobody = 65534
	if err := os.Chown(theirs, nobody, nobody); err != nil {
		t.Skip("only an administrator can give a folder away:", err)
	}
	if got := a.findAbove(here); got != (above{top: top, foreign: theirs}) {
		t.Errorf("another's: %+v", got)
	}
	if err := os.Chown(here, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if got := a.findAbove(here); got != (above{project: ".."}) {
		t.Errorf("that of whom the working directory belongs to: %+v", got)
	}
}
