package sqlite

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlstore"
)

// BenchmarkAdd compares a durable add with appending as many bytes to a file and syncing
// it.
func BenchmarkAdd(b *testing.B) {
	b.Run("add", func(b *testing.B) {
		d := fresh(b)
		for b.Loop() {
			if _, err := ofAnn(d).Add(b.Context(), "Buy milk", "Two litres"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "log"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		line := []byte(`{"user_id":"ann","title":"Buy milk","description":"Two litres"}` + "\n")
		for b.Loop() {
			if _, err := f.Write(line); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkList lists the 1,000 tasks of a user among 100,000 tasks of others.
func BenchmarkList(b *testing.B) {
	d := fresh(b)
	err := d.Write(b.Context(), sqlstore.Once, func(tx *sql.Tx) error {
		for i := range 101_000 {
			user := string(ann)
			if i%101 != 0 {
				user = fmt.Sprint("user ", i%100)
			}
			if _, err := tx.Exec("INSERT INTO tasks (user_id, title, description) VALUES ($1, $2, $3)", user, "Buy milk", "Two litres"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		found, err := ofAnn(d).List(b.Context(), tasks.All)
		if err != nil || len(found) != 1000 {
			b.Fatal(len(found), err)
		}
	}
}

// BenchmarkOpen measures opening a database of 100,000 tasks, including the check for
// damage.
func BenchmarkOpen(b *testing.B) {
	d := fresh(b)
	err := d.Write(b.Context(), sqlstore.Once, func(tx *sql.Tx) error {
		for range 100_000 {
			if _, err := tx.Exec("INSERT INTO tasks (user_id, title, description) VALUES ('bob', 'Buy milk', 'Two litres')"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d.Close()
		if _, err := ofAnn(d).List(b.Context(), tasks.All); err != nil {
			b.Fatal(err)
		}
	}
}

func fresh(b *testing.B) *Database {
	b.Helper()
	d, err := New(filepath.Join(b.TempDir(), "tasks.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	return d
}
