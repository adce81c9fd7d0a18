package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"instruction-catalog/toolsets/tasks/sqlstore"
)

//go:embed migrations/*.sql
var embedded embed.FS

// current is the schema version that this program uses.
const current = 1

// inspect opens the file for reading if it is a database of this program. It returns
// [sqlstore.ErrEmpty] if creating the database was started but not finished. If lasting
// is false, the connection is valid for one call only.
func (d *Database) inspect(ctx context.Context) (reader *sql.DB, lasting bool, err error) {
	reader, err = d.sound(ctx, "mode=ro")
	switch code(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_READONLY_CANTINIT:
		// The file is in WAL mode, no process has it open, and SQLite cannot create the
		// shared-memory file in the folder. If the log is empty, the file is complete
		// and can be read as immutable until a process writes to it.
		if d.logged() {
			return nil, false, err
		}
		reader, err = d.sound(ctx, "mode=ro", "immutable=1")
		return reader, false, err
	}
	return reader, true, err
}

// logged reports whether the write-ahead log may contain data that is not in the file.
func (d *Database) logged() bool {
	log, err := os.Stat(d.path + "-wal")
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return log.Size() > 0
}

// sound opens the file for reading if it passes [check].
func (d *Database) sound(ctx context.Context, options ...string) (*sql.DB, error) {
	reader := d.connect(readers, options...)
	if err := check(ctx, reader); err != nil {
		reader.Close()
		return nil, err
	}
	return reader, nil
}

// check returns an error unless the file is an intact database of this program.
func check(ctx context.Context, db *sql.DB) error {
	var damage string
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&damage); err != nil {
		return unfinished(err)
	}
	if damage != "ok" {
		return fmt.Errorf("the file is damaged: %s", damage)
	}
	if err := unmarked(ctx, db); err != nil {
		return err
	}
	names, err := namesIn(ctx, db)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return sqlstore.ErrEmpty
	}
	if !slices.Contains(names, "goose_db_version") {
		return errors.New("the file is a database of something else")
	}
	if err := db.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version > current:
		return fmt.Errorf("the file has version %d of the schema: a newer version of this program set it up", version)
	case version == 0 && len(names) == 1:
		return sqlstore.ErrEmpty
	case !slices.Contains(names, "tasks"):
		return errors.New("the file is a database of something else")
	}
	_, err = db.ExecContext(ctx, sqlstore.Probe)
	return err
}

// unmarked returns an error if another program, or a newer version of this one, has
// marked the file as its own.
func unmarked(ctx context.Context, db *sql.DB) error {
	for _, name := range []string{"application_id", "user_version"} {
		var mark int
		if err := db.QueryRowContext(ctx, "PRAGMA "+name).Scan(&mark); err != nil {
			return err
		}
		if mark != 0 {
			return fmt.Errorf("the file has %s %d, so that it is not ours or from a newer version", name, mark)
		}
	}
	return nil
}

// namesIn returns the names of all tables, views, indexes and triggers in the file,
// except SQLite's own.
func namesIn(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// unfinished returns [sqlstore.ErrEmpty] for the error of an interrupted creation, which
// only a writer can roll back. It returns other errors unchanged.
func unfinished(err error) error {
	if code(err) == sqlite3.SQLITE_READONLY_ROLLBACK {
		return sqlstore.ErrEmpty
	}
	return err
}

func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return sqlite3.SQLITE_OK
}

// migrate creates the schema while it holds an exclusive lock on the file.
func (d *Database) migrate(ctx context.Context) (err error) {
	db := d.connect(1, "mode=rwc")
	defer func() { err = errors.Join(err, db.Close()) }() // closing releases the lock
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations, goose.WithSessionLocker(exclusive{}))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	// The exclusive lock is still held here.
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}

// exclusive is a goose locker that uses SQLite's lock on the file. The lock is held
// across transactions until the connection is closed.
type exclusive struct{}

func (exclusive) SessionLock(ctx context.Context, conn *sql.Conn) error {
	return patiently(ctx, func() error {
		// The mode is set last: in it, a failed BEGIN would keep a shared lock, and two
		// processes would wait for each other.
		_, err := conn.ExecContext(ctx, "BEGIN EXCLUSIVE; PRAGMA locking_mode = EXCLUSIVE; COMMIT")
		return err
	})
}

func (exclusive) SessionUnlock(context.Context, *sql.Conn) error { return nil }
