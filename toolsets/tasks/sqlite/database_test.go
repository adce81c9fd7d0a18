package sqlite

import (
	"path/filepath"
	"testing"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/storetest"
)

func open(t *testing.T, name string) *Database {
	t.Helper()
	d, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) tasks.Store {
		return open(t, filepath.Join(t.TempDir(), "tasks.db"))
	})
}
