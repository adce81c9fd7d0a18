package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlitedriver "modernc.org/sqlite"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlite"
	"instruction-catalog/toolsets/tasks/sqlstore"
)

// recorder is a database that records the statements sent to it.
type recorder struct {
	driver.Connector
	db   *sql.DB
	sent []string
}

func (r *recorder) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := r.Connector.Connect(ctx)
	return &recordedConn{conn, r}, err
}

// recordedConn hides the optional interfaces of its driver, so that every statement is
// prepared.
type recordedConn struct {
	driver.Conn
	recorder *recorder
}

func (c *recordedConn) Prepare(query string) (driver.Stmt, error) {
	c.recorder.sent = append(c.recorder.sent, query)
	return c.Conn.Prepare(query)
}

func (r *recorder) Read(_ context.Context, fn func(*sql.DB) error) error { return fn(r.db) }

func (r *recorder) Write(ctx context.Context, _ sqlstore.Repeat, fn func(*sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// TestAnothersTaskIsLookedForAsAMissingOne checks that another user's task and a missing
// task are looked up by the same statements, each with the user.
func TestAnothersTaskIsLookedForAsAMissingOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tasks.db")
	store, err := sqlite.New(path)
	if err != nil {
		t.Fatal(err)
	}
	task, err := tasks.For(store.Repository("ann")).Add(t.Context(), "hers", "")
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	connector, err := sqlitedriver.NewConnector(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{Connector: connector}
	r.db = sql.OpenDB(r)
	defer r.db.Close()
	title := "x"
	for name, call := range map[string]func(tasks.UseCases, tasks.TaskID) error{
		"complete": func(u tasks.UseCases, id tasks.TaskID) error { _, err := u.Complete(t.Context(), id); return err },
		"delete":   func(u tasks.UseCases, id tasks.TaskID) error { _, err := u.Delete(t.Context(), id); return err },
		"update": func(u tasks.UseCases, id tasks.TaskID) error {
			_, err := u.Update(t.Context(), id, tasks.Change{Title: &title})
			return err
		},
	} {
		bob := tasks.For(sqlstore.NewRepository(r, "bob"))
		sent := func(id tasks.TaskID) []string {
			r.sent = nil
			if err := call(bob, id); !errors.Is(err, tasks.ErrNotFound) {
				t.Fatalf("%s %d: %v", name, id, err)
			}
			return r.sent
		}
		others, none := sent(task.ID), sent(task.ID+1)
		if len(others) == 0 || !slices.Equal(others, none) {
			t.Errorf("%s: for a task of another user %q, for none %q", name, others, none)
		}
		for _, statement := range others {
			if !strings.Contains(statement, "WHERE user_id = $1") {
				t.Errorf("%s: %q does not name the user", name, statement)
			}
		}
	}
}
