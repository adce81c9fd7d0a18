package files

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	must(t, Replace(name, []byte("one"), 0o640))
	must(t, os.Chmod(name, 0o604))
	must(t, Replace(name, []byte("two"), 0o640))
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o604 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err == nil {
		if err := Replace(filepath.Join(dir, "link"), []byte("x"), 0o600); !errors.Is(err, ErrNotRegular) {
			t.Errorf("through a link: %v", err)
		}
		must(t, os.Remove(filepath.Join(dir, "link")))
	}
	if err := Replace(filepath.Join(dir, "no", "a"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if got := contents(t, dir); !maps.Equal(got, map[string]string{"a": "two"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestCreateNew(t *testing.T) {
	t.Parallel()
	root := openRoot(t, t.TempDir())
	must(t, CreateNewIn(root, "a", []byte("one"), 0o600))
	if err := CreateNewIn(root, "a", []byte("two"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	d, err := NewDraftIn(root, "b", 0o600)
	must(t, err)
	must(t, CreateNewIn(root, "b", []byte("first"), 0o600))
	if err := d.CreateNew(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if got := contents(t, root.Name()); !maps.Equal(got, map[string]string{"a": "one", "b": "first"}) {
		t.Errorf("the folder holds %q", got)
	}
}

// A new draft removes the draft that a dead process left for the same target. It leaves
// files with similar names, a draft that is being written, and the target of a link
// that has the name of a draft.
func TestDraftsOfDeadProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	mine := map[string]string{".a.draft": "mine", ".a.x.draft": "mine", ".b.0.draft": "of another place", "a~": "mine"}
	for name, text := range mine {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	living, err := NewDraft(name, 0o600)
	must(t, err)
	_, err = living.WriteString("of the living")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, ".a.1.draft"), []byte("half a dra"), 0o644))
	must(t, Replace(name, []byte("whole"), 0o600))
	want := maps.Clone(mine)
	want["a"], want[filepath.Base(living.Name())] = "whole", "of the living"
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	must(t, living.Replace())
	if os.Symlink("a~", filepath.Join(dir, ".a.0.draft")) == nil {
		must(t, Replace(name, []byte("again"), 0o600))
		must(t, os.Remove(filepath.Join(dir, ".a.0.draft")))
	} else {
		must(t, Replace(name, []byte("again"), 0o600))
	}
	delete(want, filepath.Base(living.Name()))
	want["a"] = "again"
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

// If several goroutines replace one file at the same time, the result is the complete
// text of one of them.
func TestManyReplaceOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, failed := filepath.Join(dir, "a"), make(chan error)
	for i := range 8 {
		go func() {
			var err error
			for range 20 {
				err = errors.Join(err, Replace(name, bytes.Repeat([]byte{byte('a' + i)}, 10_000), 0o600))
			}
			failed <- err
		}()
	}
	for range 8 {
		must(t, <-failed)
	}
	got := contents(t, dir)
	if text := got["a"]; len(got) != 1 || len(text) != 10_000 || strings.Count(text, text[:1]) != len(text) {
		t.Errorf("the folder holds %d files, a %d bytes", len(got), len(text))
	}
}
