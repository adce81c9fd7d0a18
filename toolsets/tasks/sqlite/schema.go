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
const current = 2

// inspect opens the file for reading if it is a database of this program. It returns
// [sqlstore.ErrEmpty] if creating the database was started but not finished. If lasting
// is false, the connection is valid for one call only.
func (d *Database) inspect(ctx context.Context) (reader *sql.DB, version int, lasting bool, err error) {
	reader, version, err = d.sound(ctx, "mode=ro")
	switch code(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_READONLY_CANTINIT:
		// The file is in WAL mode, no process has it open, and SQLite cannot create the
		// shared-memory file in the folder. If the log is empty, the file is complete
		// and can be read as immutable until a process writes to it.
		if d.logged() {
			return nil, 0, false, err
		}
		reader, version, err = d.sound(ctx, "mode=ro", "immutable=1")
		return reader, version, false, err
	}
	return reader, version, true, err
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
func (d *Database) sound(ctx context.Context, options ...string) (*sql.DB, int, error) {
	reader := d.connect(readers, options...)
	version, err := check(ctx, reader)
	if err != nil {
		reader.Close()
		return nil, 0, err
	}
	return reader, version, nil
}

// check returns the version of the schema. It returns an error unless the file is an
// intact database of this program or of an older version.
func check(ctx context.Context, db *sql.DB) (version int, err error) {
	var damage string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&damage); err != nil {
		return 0, unfinished(err)
	}
	if damage != "ok" {
		return 0, fmt.Errorf("the file is damaged: %s", damage)
	}
	if err := unmarked(ctx, db); err != nil {
		return 0, err
	}
	if version, err = versionOf(ctx, db); err != nil {
		return 0, err
	}
	for _, probe := range sqlstore.Probes[:version] {
		if _, err := db.ExecContext(ctx, probe); err != nil {
			return 0, err
		}
	}
	return version, nil
}

// versionOf returns the version of the schema, which is not 0.
func versionOf(ctx context.Context, db *sql.DB) (version int, err error) {
	names, err := namesIn(ctx, db)
	if err != nil {
		return 0, err
	}
	if len(names) == 0 {
		return 0, sqlstore.ErrEmpty
	}
	if !slices.Contains(names, "goose_db_version") {
		return 0, errOther
	}
	if err := db.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&version); err != nil {
		return 0, err
	}
	switch {
	case version > current:
		return 0, fmt.Errorf("the file has version %d of the schema: a newer version of this program set it up", version)
	case version == 0 && len(names) == 1:
		return 0, sqlstore.ErrEmpty
	case version < 1 || !slices.Contains(names, "tasks"):
		return 0, errOther
	}
	return version, nil
}

var errOther = errors.New("the file is a database of something else")

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

// create creates the schema while it holds an exclusive lock on the file.
func (d *Database) create(ctx context.Context) (err error) {
	db := d.connect(1, "mode=rwc")
	defer func() { err = errors.Join(err, db.Close()) }() // closing releases the lock
	if err := migrate(ctx, db, goose.WithSessionLocker(exclusive{})); err != nil {
		return err
	}
	// The exclusive lock is still held here.
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}

// upgrade brings the schema of an existing database up to date, one transaction per
// version. An exclusive lock is not possible, because readers keep the file open. If
// another process does the same, one of them fails and finds the work done.
func (d *Database) upgrade(ctx context.Context) (err error) {
	db := d.connectWriter()
	defer func() { err = errors.Join(err, db.Close()) }()
	failure := patiently(ctx, func() error { return migrate(ctx, db) })
	if failure == nil {
		return nil
	}
	if version, err := check(ctx, db); err != nil || version < current {
		return failure
	}
	return nil
}

func migrate(ctx context.Context, db *sql.DB, options ...goose.ProviderOption) error {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations, options...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// exclusive is a goose locker that uses SQLite's lock on the file. The lock is held
// across transactions until the connection is closed.
type exclusive struct{}

func (exclusive) SessionLock(ctx context.Context, conn *sql.Conn) error {
	return patiently(ctx, func() error {
		// The mode is set last: in exclusive mode, a failed BEGIN would keep a shared
		// lock, and two processes would wait for each other.
		_, err := conn.ExecContext(ctx, "BEGIN EXCLUSIVE; PRAGMA locking_mode = EXCLUSIVE; COMMIT")
		return err
	})
}

func (exclusive) SessionUnlock(context.Context, *sql.Conn) error { return nil }
