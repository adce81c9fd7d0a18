package writing

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// newDisk mounts a small file system if the test has permission.
func newDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skip("no file system can be mounted here:", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// TestFullDisk checks that a change on a full disk fails as a whole, regardless of the
// file at which space runs out.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := newDisk(t)
	w := writerTo(dir)
	put(t, dir, "old.md", "x")
	for i := range 20 {
		put(t, dir, fmt.Sprintf("n%d.md", i), "[[old]]\n"+strings.Repeat("x", 4000))
	}
	put(t, dir, ".full/most", strings.Repeat("x", 380<<10))
	before := contents(t, dir)
	for size := range 12 {
		put(t, dir, ".full/more", "")
		put(t, dir, ".full/more", strings.Repeat("x", size*4096))
		_, renamed := w.Update(t.Context(), Update{ID: "old.md", Title: new("New")})
		_, updated := w.Update(t.Context(), Update{ID: "n1.md", Content: new(strings.Repeat("y", 100<<10))})
		_, created := w.Create(t.Context(), "", "Large", strings.Repeat("y", 100<<10), nil)
		for _, err := range []error{renamed, updated, created} {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("with %d blocks: got %v", size, err)
			}
		}
		holds(t, w, before)
	}
	must(t, os.Remove(filepath.Join(dir, ".full/most")))
	must(t, os.Remove(filepath.Join(dir, ".full/more")))
	if id := retitle(t, w, "old.md", "New"); id != "new.md" {
		t.Errorf("got %s", id)
	}
}

// TestReadOnlyDisk checks that nothing changes in a read-only vault, and that missing
// notes are still reported as missing.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	dir := newDisk(t)
	w := writerTo(dir)
	put(t, dir, "old.md", "x")
	put(t, dir, "a.md", "[[old]]")
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	before := contents(t, dir)
	_, renamed := w.Update(t.Context(), Update{ID: "old.md", Title: new("New")})
	_, updated := w.Update(t.Context(), Update{ID: "a.md", Content: new("y")})
	_, created := w.Create(t.Context(), "", "Other", "", nil)
	_, deleted := w.Delete(t.Context(), "a.md", "")
	for _, err := range []error{renamed, updated, created, deleted} {
		if !errors.Is(err, syscall.EROFS) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := w.Delete(t.Context(), "missing.md", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("a missing note: got %v", err)
	}
	holds(t, w, before)
}

// TestFilesThatMayNotBeWritten checks that a read-only note stays unchanged, and that a
// rename that would change it fails as a whole.
func TestFilesThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write to any file")
	}
	w := newWriter(t, map[string]string{"old.md": "x", "a.md": "[[old]]", "b.md": "[[old]]"})
	before := contents(t, w.Folder)
	must(t, os.Chmod(filepath.Join(w.Folder, "b.md"), 0o444))
	for _, u := range []Update{{ID: "old.md", Title: new("New")}, {ID: "b.md", Content: new("y")}} {
		if _, err := w.Update(t.Context(), u); !errors.Is(err, os.ErrPermission) {
			t.Errorf("got %v", err)
		}
	}
	holds(t, w, before)
}

// TestFoldersThatMayNotBeWritten checks a folder without write permission, which is
// noticed only when files are replaced.
func TestFoldersThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write to any folder")
	}
	w := newWriter(t, map[string]string{"old.md": "x", "a.md": "[[old]]", "f/b.md": "[[old]]", "z.md": "[[old]]"})
	before := contents(t, w.Folder)
	must(t, os.Chmod(filepath.Join(w.Folder, "f"), 0o555))
	if _, err := w.Update(t.Context(), Update{ID: "old.md", Title: new("New")}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
	must(t, os.Chmod(filepath.Join(w.Folder, "f"), 0o755))
	holds(t, w, before)
	if id := retitle(t, w, "old.md", "New"); id != "new.md" {
		t.Errorf("got %s", id)
	}
}
