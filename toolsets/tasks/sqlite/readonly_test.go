package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

// TestReadOnly checks that a read-only file can be read and that writing fails.
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

// unshared prevents the creation of the shared-memory file, as in a read-only folder,
// even for root.
func unshared(t *testing.T, path string) {
	t.Helper()
	if err := os.Symlink("nowhere", path+"-shm"); err != nil {
		t.Fatal(err)
	}
}

// TestALogThatCannotBeRead checks that an unreadable log is an error, since the file
// alone would be incomplete.
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

// TestAReaderInAReadOnlyFolderSeesWhatIsNew checks that a reader that cannot create
// files sees what another process has written since.
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
