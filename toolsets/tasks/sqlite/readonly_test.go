package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

// What may not be written can be read, and a write is an error.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write everything")
	}
	path, before := written(t)
	for _, folder := range []os.FileMode{0o700, 0o500} {
		if err := errors.Join(os.Chmod(path, 0o400), os.Chmod(filepath.Dir(path), folder)); err != nil {
			t.Fatal(err)
		}
		d := open(t, path)
		if got := titles(t, d); got != "one" {
			t.Errorf("listed %q", got)
		}
		if _, err := ofAnn(d).Add(t.Context(), "two", ""); err == nil || err.Error() != "Failed to create task" {
			t.Errorf("added: %v", err)
		}
		d.Close()
		if !bytes.Equal(read(t, path), before) {
			t.Error("the file was changed")
		}
		os.Chmod(filepath.Dir(path), 0o700)
	}
}

// unshared has the file's folder allow no file for the readers' common memory, as
// one that may not be written does, for root too.
func unshared(t *testing.T, path string) {
	t.Helper()
	if err := os.Symlink("nowhere", path+"-shm"); err != nil {
		t.Fatal(err)
	}
}

// Where the log cannot be read, there is an error instead of what is in the file
// without it.
func TestALogThatCannotBeRead(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	d := open(t, path)
	add(t, d, "two")
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, part := range []string{"", "-wal"} {
		if err := os.WriteFile(copied+part, read(t, path+part), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unshared(t, copied)
	found, err := ofAnn(open(t, copied)).List(t.Context(), tasks.All)
	if err == nil || err.Error() != "Failed to list tasks" {
		t.Errorf("listed %v, %v", found, err)
	}
}

// A reader who may make no file sees what somebody else has written since.
func TestAReaderInAReadOnlyFolderSeesWhatIsNew(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	unshared(t, path)
	reader := open(t, path)
	if got := titles(t, reader); got != "one" {
		t.Errorf("listed %q", got)
	}
	os.Remove(path + "-shm")
	writer := open(t, path)
	add(t, writer, "two")
	if got := titles(t, reader); got != "one two" {
		t.Errorf("listed %q", got)
	}
	reader.Close()
	writer.Close()
	unshared(t, path)
	if got := titles(t, reader); got != "one two" {
		t.Errorf("listed %q", got)
	}
}
