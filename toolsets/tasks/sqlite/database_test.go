package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

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

// TestWaitingForTheLockHoldsNoLock checks that a process that waits to create the schema
// does not hinder the one that is creating it. Each would wait for the other otherwise.
func TestWaitingForTheLockHoldsNoLock(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "tasks.db"))
	creating, waiting := d.connect(1, "mode=rwc"), d.connect(1, "mode=rwc")
	defer creating.Close()
	defer waiting.Close()
	if _, err := creating.ExecContext(t.Context(), "BEGIN IMMEDIATE; CREATE TABLE x (y)"); err != nil {
		t.Fatal(err)
	}
	conn, err := waiting.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	once, cancel := context.WithTimeout(t.Context(), busyTimeout/2) // SQLite's wait is longer
	defer cancel()
	if err := (exclusive{}).SessionLock(once, conn); err == nil {
		t.Fatal("two processes have the lock")
	}
	if _, err := creating.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := (exclusive{}).SessionLock(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	if _, err := creating.ExecContext(t.Context(), "INSERT INTO x VALUES (1)"); code(err) != sqlite3.SQLITE_BUSY {
		t.Errorf("the lock was not kept: %v", err)
	}
}
