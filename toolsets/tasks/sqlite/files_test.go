package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlstore"
)

const ann = tasks.UserID("ann")

func ofAnn(d *Database) tasks.UseCases { return tasks.For(d.Repository(ann)) }

func add(t *testing.T, d *Database, title string) tasks.TaskID {
	t.Helper()
	task, err := ofAnn(d).Add(t.Context(), title, "")
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	return task.ID
}

func titles(t *testing.T, d *Database) string {
	t.Helper()
	found, err := ofAnn(d).List(t.Context(), tasks.All)
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	var all []string
	for _, task := range found {
		all = append(all, task.Title)
	}
	return strings.Join(all, " ")
}

// TestEmptied checks that an empty file is not treated as a new database if it was a
// database before.
func TestEmptied(t *testing.T) {
	t.Parallel()
	refused := func(d *Database, path string) {
		t.Helper()
		_, listing := ofAnn(d).List(t.Context(), tasks.All)
		_, adding := ofAnn(d).Add(t.Context(), "two", "")
		if listing == nil || adding == nil || len(read(t, path)) != 0 {
			t.Errorf("listing: %v, adding: %v, then the file has %d bytes", listing, adding, len(read(t, path)))
		}
	}
	path, _ := written(t)
	d := open(t, path)
	if got := titles(t, d); got != "one" {
		t.Fatalf("titles %q", got)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	refused(d, path)
	path = filepath.Join(t.TempDir(), "tasks.db")
	for name, content := range map[string]string{path: "", path + "-wal": "frames"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(open(t, path), path)
}

// written returns the path and the bytes of a database with one task.
func written(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tasks.db")
	d := open(t, path)
	add(t, d, "one")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return path, read(t, path)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func alter(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// failures calls every use case and returns the errors.
func failures(t *testing.T, d *Database) (said []string) {
	t.Helper()
	title := "x"
	_, add := ofAnn(d).Add(t.Context(), title, "")
	_, list := ofAnn(d).List(t.Context(), tasks.All)
	_, complete := ofAnn(d).Complete(t.Context(), 1)
	_, remove := ofAnn(d).Delete(t.Context(), 1)
	_, update := ofAnn(d).Update(t.Context(), 1, tasks.Change{Title: &title})
	for _, err := range []error{add, list, complete, remove, update} {
		if err != nil {
			said = append(said, err.Error())
		}
	}
	return said
}

const allFail = "Failed to create task, Failed to list tasks, Failed to complete task, Failed to delete task, Failed to update task"

func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	overwrite := func(from, to int) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			content := read(t, path)
			for i := from; i < min(to, len(content)); i++ {
				content[i] = 'x'
			}
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	statement := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) { alter(t, path, text) }
	}
	for name, spoil := range map[string]func(t *testing.T, path string){
		"a text":         func(t *testing.T, path string) { os.WriteFile(path, []byte("shopping list\n"), 0o600) },
		"a head":         overwrite(0, 100),
		"a first page":   overwrite(100, 4096),
		"later pages":    overwrite(4096, 1<<20),
		"cut short":      func(t *testing.T, path string) { os.Truncate(path, 4096+100) },
		"a newer schema": statement("INSERT INTO goose_db_version (version_id, is_applied) VALUES (3, TRUE)"),
		"a mark":         statement("PRAGMA user_version = 7"),
		"no version":     statement("DROP TABLE goose_db_version"),
		"no tasks":       statement("DROP TABLE tasks"),
		"other columns":  statement("ALTER TABLE tasks RENAME COLUMN title TO name"),
		"something else": func(t *testing.T, path string) {
			os.Remove(path)
			alter(t, path, "CREATE TABLE recipes (name TEXT)")
		},
		"one byte": func(t *testing.T, path string) { os.WriteFile(path, []byte("x"), 0o600) },
		"another's empty one": func(t *testing.T, path string) {
			os.Remove(path)
			alter(t, path, "PRAGMA application_id = 1234")
		},
		"a view": func(t *testing.T, path string) {
			os.Remove(path)
			alter(t, path, "CREATE VIEW recipes AS SELECT 1 AS name")
		},
		"another's goose": func(t *testing.T, path string) {
			os.Remove(path)
			alter(t, path, "CREATE TABLE goose_db_version (version_id INTEGER, is_applied INTEGER); CREATE TABLE recipes (name TEXT)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _ := written(t)
			spoil(t, path)
			before := read(t, path)
			d := open(t, path)
			if said := strings.Join(failures(t, d), ", "); said != allFail {
				t.Errorf("said %q", said)
			}
			d.Close()
			if !bytes.Equal(read(t, path), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestAFailedOpeningIsTriedAgain(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "later")
	d := open(t, filepath.Join(folder, "tasks.db"))
	if said := strings.Join(failures(t, d), ", "); said != allFail {
		t.Errorf("said %q", said)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	add(t, d, "one")
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
}

// TestTheFileIsReplaced checks that a replacement of the file is used and that a removed
// file is a new database. Otherwise data would be written to an unlinked file.
func TestTheFileIsReplaced(t *testing.T) {
	t.Parallel()
	path, content := written(t)
	d := open(t, path)
	add(t, d, "two")
	os.Remove(path)
	os.Remove(path + "-wal")
	os.Remove(path + "-shm")
	add(t, d, "three")
	if got := titles(t, d); got != "three" {
		t.Errorf("listed %q", got)
	}
	other := path + ".new"
	if err := os.WriteFile(other, content, 0o600); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
}

// TestTheFileIsReplacedBesideItsLog checks that a replacement is refused while the log of
// the replaced file remains, which SQLite would apply to the new file.
func TestTheFileIsReplacedBesideItsLog(t *testing.T) {
	t.Parallel()
	other, content := written(t)
	path := filepath.Join(t.TempDir(), "tasks.db")
	d := open(t, path)
	add(t, d, "old")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(failures(t, d), ", "); said != allFail {
		t.Errorf("said of a removed file: %q", said)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if said := strings.Join(failures(t, d), ", "); said != allFail {
			t.Errorf("said %q", said)
		}
	}
	if !bytes.Equal(read(t, path), content) {
		t.Error("the new file was changed")
	}
	os.Remove(path + "-wal")
	os.Remove(path + "-shm")
	add(t, d, "two")
	if got := titles(t, d); got != "one two" {
		t.Errorf("listed %q", got)
	}
}

func TestReadingChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	nothing, empty := filepath.Join(dir, "nothing.db"), filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{nothing, empty} {
		if got := titles(t, open(t, path)); got != "" {
			t.Errorf("listed %q", got)
		}
	}
	if found, _ := os.ReadDir(dir); len(found) != 1 || len(read(t, empty)) != 0 {
		t.Errorf("reading left %v", found)
	}
	add(t, open(t, empty), "one")

	// The data that a killed process left in the log is kept.
	path, _ := written(t)
	d := open(t, path)
	add(t, d, "two")
	copied := filepath.Join(dir, "copy.db")
	for _, part := range []string{"", "-wal"} {
		if err := os.WriteFile(copied+part, read(t, path+part), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before, log := read(t, copied), read(t, copied+"-wal")
	again := open(t, copied)
	if got := titles(t, again); got != "one two" {
		t.Errorf("listed %q", got)
	}
	again.Close()
	if !bytes.Equal(before, read(t, copied)) || !bytes.Equal(log, read(t, copied+"-wal")) {
		t.Error("reading changed the file")
	}
}

func TestNamesAreLiteral(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "a%20b.db", "a#b.db", "a?mode=ro.db", "ä&b.db", ":memory:", "file:x.db", "-.db"} {
		d := open(t, filepath.Join(dir, name))
		add(t, d, "x")
		d.Close()
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// lock takes the write lock of a database with another connection.
func lock(t *testing.T, path string) (other *sql.DB, release func()) {
	t.Helper()
	other, err := sql.Open("sqlite", "file:"+path+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return other, func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// TestAWriterHoldsTheLock checks that a reader does not wait for a writer, but another
// writer does.
func TestAWriterHoldsTheLock(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	_, release := lock(t, path)
	d := open(t, path)
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
	time.AfterFunc(300*time.Millisecond, release)
	add(t, d, "two")
	if got := titles(t, d); got != "one two" {
		t.Errorf("listed %q", got)
	}
}

// TestAFileThatIsNotInWALMode checks a file that is not yet in WAL mode because the
// creating process was killed. Readers then wait for writers, and the next writer sets
// WAL mode.
func TestAFileThatIsNotInWALMode(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	alter(t, path, "PRAGMA journal_mode = DELETE")
	d := open(t, path)
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
	other, release := lock(t, path)
	time.AfterFunc(busyTimeout+busyTimeout/2, release)
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
	add(t, d, "two")
	var mode string
	if err := other.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("the mode is %q, %v", mode, err)
	}
}

// TestALockThatIsNeverReleased checks that a call that gives up waiting has not written
// and does not write later.
func TestALockThatIsNeverReleased(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	_, release := lock(t, path)
	d := open(t, path)
	ctx, cancel := contextFor(t, 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := ofAnn(d).Add(ctx, "two", ""); err == nil || err.Error() != "Failed to create task" {
		t.Errorf("got %v", err)
	}
	if took := time.Since(begun); took > tasks.Limit/2 {
		t.Errorf("it took %v to give up", took)
	}
	release()
	add(t, d, "three")
	if got := titles(t, d); got != "one three" {
		t.Errorf("listed %q", got)
	}
}

func TestAnIndexFindsTheTasksOfAUser(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	d := open(t, path)
	for _, tt := range plans {
		err := d.Read(t.Context(), func(db *sql.DB) error {
			var id, parent, unused int
			var detail string
			row := db.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+tt.statement, tt.args...)
			if err := row.Scan(&id, &parent, &unused, &detail); err != nil {
				return err
			}
			if detail != tt.want {
				t.Errorf("%s\nplan %q, want %q", tt.statement, detail, tt.want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

const byUser = "SEARCH tasks USING INDEX tasks_user_id_id (user_id=?)"

var plans = []struct {
	statement string
	args      []any
	want      string
}{
	{sqlstore.SelectAll, []any{"ann"}, byUser},
	{sqlstore.SelectStatus, []any{"ann", true}, byUser},
}

func contextFor(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
