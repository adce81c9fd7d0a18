package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlstore"
	"instruction-catalog/toolsets/tasks/storetest"
)

const ann = tasks.UserID("ann")

// server returns the URL of a test server. .ci/postgres starts one.
func server(t testing.TB) string {
	t.Helper()
	name := os.Getenv("CATALOG_TEST_POSTGRES")
	if name == "" {
		t.Skip("CATALOG_TEST_POSTGRES names no server: run the tests with .ci/postgres")
	}
	return name
}

// empty returns the URL of a schema without tables.
func empty(t testing.TB) string {
	t.Helper()
	base, err := url.Parse(server(t))
	if err != nil {
		t.Fatal(err)
	}
	schema := "t" + strings.ToLower(rand.Text())
	execute(t, base.String(), "CREATE SCHEMA "+schema)
	t.Cleanup(func() { execute(t, base.String(), "DROP SCHEMA "+schema+" CASCADE") })
	query := base.Query()
	query.Set("search_path", schema)
	base.RawQuery = query.Encode()
	return base.String()
}

func execute(t testing.TB, name, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, name string) *Database {
	t.Helper()
	d, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func ofAnn(d *Database) tasks.UseCases { return tasks.For(d.Repository(ann)) }

func add(t testing.TB, d *Database, title string) tasks.TaskID {
	t.Helper()
	task, err := ofAnn(d).Add(t.Context(), title, "")
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	return task.ID
}

func TestStore(t *testing.T) {
	server(t)
	storetest.Run(t, func(t *testing.T) tasks.Store { return open(t, empty(t)) })
}

func TestWrongURLs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"postgres://u:secret@host:port/db", "postgres://u:secret@h/db?sslmode=maybe", "postgres://u:se%zzcret@h/"} {
		_, err := New(name)
		if err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestURLsSayWhatIsWrong checks that errors for URLs say what is wrong without the
// secret.
func TestURLsSayWhatIsWrong(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://u:1/S3CRET@127.0.0.1:1/d":                     "@ after the host",
		"postgres://u:1?S3CRET@127.0.0.1:1/d":                     "@ after the host",
		"postgres://u:1#S3CRET@127.0.0.1:1/d":                     "@ after the host",
		"postgres://u:S3CRET@h/d?sslmode=S3CRET":                  `option "sslmode"`,
		"postgres://u@h/d?sslmode=require&sslrootcert=/no/S3CRET": `option "sslrootcert"`,
		"postgres://u@h/d?pool_max_conns=S3CRET":                  `option "pool_max_conns"`,
		"postgres:host=h password=S3CRET":                         "not the URL",
	} {
		_, err := New(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "S3CRET") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"postgres://u:a%2Fb%40c@h/d", "postgres://u@h1,h2:5/d?application_name=a%40b", "postgresql:///d"} {
		db, err := New(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		db.Close()
	}
}

// TestManyServersStartAtOnce checks that ten servers starting at once create the schema
// once.
func TestManyServersStartAtOnce(t *testing.T) {
	t.Parallel()
	name := empty(t)
	var group sync.WaitGroup
	for i := range 10 {
		d := open(t, name)
		group.Go(func() {
			if _, err := ofAnn(d).Add(t.Context(), fmt.Sprint(i), ""); err != nil {
				t.Error(err, errors.Unwrap(err))
			}
		})
	}
	group.Wait()
	found, err := ofAnn(open(t, name)).List(t.Context(), tasks.All)
	if err != nil || len(found) != 10 {
		t.Errorf("%d tasks, %v", len(found), err)
	}
}

func TestReadingSetsNothingUp(t *testing.T) {
	t.Parallel()
	d := open(t, empty(t))
	if found, err := ofAnn(d).List(t.Context(), tasks.All); err != nil || len(found) != 0 {
		t.Fatalf("%v, %v", found, err)
	}
	if err := d.check(t.Context()); !errors.Is(err, sqlstore.ErrEmpty) {
		t.Errorf("the schema was set up: %v", err)
	}
}

// TestFirstVersion checks that a schema of the first version is read without a change, and
// upgraded by the first writes, of which several may come at once.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	name := empty(t)
	add(t, open(t, name), "one")
	execute(t, name, "DROP TABLE task_keys; DELETE FROM goose_db_version WHERE version_id > 1")
	reader := open(t, name)
	if found, err := ofAnn(reader).List(t.Context(), tasks.All); err != nil || len(found) != 1 || reader.version.Load() != 1 {
		t.Errorf("%v, %v, version %d", found, err, reader.version.Load())
	}
	var group sync.WaitGroup
	for _, d := range []*Database{reader, open(t, name), open(t, name)} {
		group.Go(func() {
			if _, err := ofAnn(d).AddOnce(t.Context(), "key", "two", ""); err != nil {
				t.Error(err, errors.Unwrap(err))
			}
		})
	}
	group.Wait()
	if found, err := ofAnn(reader).List(t.Context(), tasks.All); err != nil || len(found) != 2 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestUnknownOutcomes checks that a commit with an unknown outcome is repeated only if that
// is harmless, and that the outcome stays unknown if the repetition fails.
func TestUnknownOutcomes(t *testing.T) {
	t.Parallel()
	d := open(t, "postgres://ann@127.0.0.1:1/tasks") // no server is needed
	lost := fmt.Errorf("%w: %w", tasks.ErrUnknownOutcome, &pgconn.PgError{Code: "57P01"})
	away := &pgconn.PgError{Code: "57P03"}
	for _, tt := range []struct {
		repeat  sqlstore.Repeat
		results []error
		want    error
	}{
		{sqlstore.Once, []error{away, fmt.Errorf("insert: %w", io.EOF), pgconn.ErrConnClosed, nil}, nil},
		{sqlstore.Once, []error{lost}, tasks.ErrUnknownOutcome},
		{sqlstore.Repeatable, []error{lost, away, nil}, nil},
		{sqlstore.Repeatable, []error{lost, sql.ErrNoRows}, sql.ErrNoRows},
		{sqlstore.Repeatable, []error{lost, away, &pgconn.PgError{Code: "53100"}}, tasks.ErrUnknownOutcome},
	} {
		calls := 0
		err := d.attempt(t.Context(), tt.repeat, func() error { calls++; return tt.results[calls-1] })
		if !errors.Is(err, tt.want) || calls != len(tt.results) {
			t.Errorf("%v: %d calls, %v", tt.results, calls, err)
		}
	}
}

func TestSchemasThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{
		"INSERT INTO goose_db_version (version_id, is_applied) VALUES (3, TRUE)",
		"DROP TABLE tasks",
		"ALTER TABLE tasks RENAME COLUMN title TO name",
	} {
		name := empty(t)
		add(t, open(t, name), "one")
		execute(t, name, statement)
		d := open(t, name)
		_, err := ofAnn(d).List(t.Context(), tasks.All)
		if err == nil || err.Error() != "Failed to list tasks" {
			t.Errorf("%s: %v", statement, err)
		}
		_, err = ofAnn(d).Add(t.Context(), "x", "")
		if err == nil || err.Error() != "Failed to create task" {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestSerialisationFailures checks that a transaction is retried after a serialization
// failure.
func TestSerialisationFailures(t *testing.T) {
	t.Parallel()
	d := open(t, empty(t))
	add(t, d, "one")
	calls := 0
	err := d.Write(t.Context(), sqlstore.Once, func(tx *sql.Tx) error {
		if calls++; calls < 4 {
			return fmt.Errorf("insert: %w", &pgconn.PgError{Code: "40001"})
		}
		_, err := tx.ExecContext(t.Context(), "UPDATE tasks SET title = 'two' WHERE user_id = 'ann'")
		return err
	})
	if err != nil || calls != 4 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = d.Write(ctx, sqlstore.Once, func(*sql.Tx) error { return &pgconn.PgError{Code: "40001"} })
	if state(err) != "40001" && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestSerializableTransactions checks retries with real serialization failures.
func TestSerializableTransactions(t *testing.T) {
	t.Parallel()
	name := empty(t) + "&default_transaction_isolation=serializable"
	d := open(t, name)
	id := add(t, d, "title")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			title := fmt.Sprint("title ", i)
			if _, err := ofAnn(d).Update(t.Context(), id, tasks.Change{Title: &title}); err != nil {
				t.Error(err, errors.Unwrap(err))
			}
		})
	}
	group.Wait()
}

// lockTable locks the table of tasks against writers with another connection.
func lockTable(t *testing.T, name string) (release func()) {
	t.Helper()
	other, err := sql.Open("pgx", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("LOCK TABLE tasks IN EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// TestALockThatIsNotReleased checks that a call that gives up waiting for a lock has not
// written and does not write later.
func TestALockThatIsNotReleased(t *testing.T) {
	t.Parallel()
	name := empty(t)
	d := open(t, name)
	id := add(t, d, "before")
	release := lockTable(t, name)
	if found, err := ofAnn(d).List(t.Context(), tasks.All); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	title := "after"
	if _, err := ofAnn(d).Update(ctx, id, tasks.Change{Title: &title}); err == nil {
		t.Error("the update succeeded")
	}
	release()
	add(t, d, "next") // waits for anything that still blocks a write
	found, err := ofAnn(d).List(t.Context(), tasks.All)
	if err != nil || len(found) != 2 || found[0].Title != "before" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestBlockedWritersLeaveAConnection checks that a list is answered although more writers
// wait for a lock than the pool has connections.
func TestBlockedWritersLeaveAConnection(t *testing.T) {
	t.Parallel()
	name := empty(t)
	d := open(t, name+"&pool_max_conns=2")
	add(t, d, "one")
	release := lockTable(t, name)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { add(t, d, "two") })
	}
	for d.writing.Stats().WaitCount < 3 { // until the others wait for the one that waits for the lock
		time.Sleep(time.Millisecond)
	}
	if found, err := ofAnn(d).List(t.Context(), tasks.All); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	release()
	group.Wait()
}

func TestAnIndexFindsTheTasksOfAUser(t *testing.T) {
	t.Parallel()
	name := empty(t)
	d := open(t, name)
	add(t, d, "one")
	execute(t, name, `INSERT INTO tasks (user_id, title, description) SELECT 'user ' || n % 100, 'x', '' FROM generate_series(1, 20000) n`)
	execute(t, name, "ANALYZE tasks")
	for _, statement := range []string{sqlstore.SelectAll, strings.Replace(sqlstore.SelectStatus, "$2", "TRUE", 1)} {
		rows, err := d.db.QueryContext(t.Context(), "EXPLAIN "+strings.Replace(statement, "$1", "'ann'", 1))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var plan strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&plan, line)
		}
		if !strings.Contains(plan.String(), "using tasks_user_id_id") {
			t.Errorf("%s\n%s", statement, plan.String())
		}
	}
}
