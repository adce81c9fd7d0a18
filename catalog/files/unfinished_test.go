package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// failingAfter returns a system that swaps files n times, and calls then after each time.
// Each later swap fails, like on a failing disk.
func failingAfter(n int, then func(staged place)) *system {
	on := thisSystem
	on.renameExchange = func(a, b place) error {
		if n--; n < 0 {
			return syscall.EIO
		}
		err := renameExchange(a, b)
		then(a)
		return err
	}
	return &on
}

// A change that cannot be rolled back is an error that says so, and the next session
// completes it.
func TestHalfMade(t *testing.T) {
	t.Parallel()
	if !exchangesFiles(t) {
		t.Skip("two files cannot change places here")
	}
	f := newFolder(t, failingAfter(1, func(place) {}), before)
	s := f.begin(t)
	err := s.Apply(t.Context(), renaming())
	at, ok := errors.AsType[*FileError](err)
	if !errors.Is(err, ErrHalfMade) || !errors.Is(err, syscall.EIO) || !ok || at.Name != "d/new.md" {
		t.Errorf("got %v", err)
	}
	must(t, s.Close())
	f.system = nil
	must(t, f.begin(t).Close())
	f.holds(t, after)
}

// An edit may fail after its text is in place, because the text that another program saved
// meanwhile cannot be restored. The error says so, and that text goes to the trash.
func TestUncertain(t *testing.T) {
	t.Parallel()
	if !exchangesFiles(t) {
		t.Skip("two files cannot change places here")
	}
	f := newFolder(t, failingAfter(1, func(staged place) {
		must(t, os.WriteFile(filepath.Join(staged.root.Name(), staged.name), []byte("foreign"), 0o600))
	}), before)
	s := f.begin(t)
	err := s.Edit("a.md", func([]byte) ([]byte, error) { return []byte("new"), nil })
	at, ok := errors.AsType[*FileError](err)
	if !errors.Is(err, ErrUncertain) || errors.Is(err, ErrHalfMade) || !ok || at.Name != "a.md" {
		t.Errorf("got %v", err)
	}
	must(t, s.Close())
	f.system = nil
	must(t, f.begin(t).Close())
	if got := contents(t, f.Path); got["a.md"] != "new" || got[".trash/a.md"] != "foreign" || f.Interrupted() {
		t.Errorf("the folder holds %q", got)
	}
}
