// Package sqlite keeps tasks in a file, with one connection that writes and
// several that read. Many processes may use the file at once.
//
// A file that is corrupt, that belongs to something else or that a newer version
// of this program has set up is refused and stays as it is. Reading never changes
// a byte of it, nor makes one.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlstore"
)

// readers is how many calls may read at the same time.
const readers = 8

// headerSize is how many bytes the header of a SQLite database has.
const headerSize = 100

// busyTimeout is how long SQLite itself waits for a lock. It cannot be
// interrupted meanwhile, so that it is short, and [patiently] asks again.
const busyTimeout = time.Second

// Database is one file. It implements [tasks.Store] and [sqlstore.DB].
type Database struct {
	path string

	opening chan struct{} // holds one value while somebody looks at what follows
	file    os.FileInfo   // the file that is open
	reader  *sql.DB       // nil until the file was found to be in order
	writer  *sql.DB       // nil until something is written
	existed bool          // the path has led to a database
}

// New returns the database in a file. The name is taken literally; the file is
// looked at when it is first needed.
func New(name string) (*Database, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return &Database{path: path, opening: make(chan struct{}, 1)}, nil
}

// Repository implements [tasks.Store].
func (d *Database) Repository(user tasks.UserID) tasks.Repository {
	return sqlstore.NewRepository(d, user)
}

// Read implements [sqlstore.DB]. It waits for a writer only where the file is not
// in WAL mode yet.
func (d *Database) Read(ctx context.Context, fn func(*sql.DB) error) error {
	db, done, err := d.openReader(ctx)
	if err != nil {
		return err
	}
	defer done()
	return patiently(ctx, func() error { return fn(db) })
}

// Write implements [sqlstore.DB]. It waits for other writers as long as ctx
// allows.
func (d *Database) Write(ctx context.Context, fn func(*sql.Tx) error) error {
	db, err := d.openWriter(ctx)
	if err != nil {
		return err
	}
	var tx *sql.Tx
	err = patiently(ctx, func() error {
		tx, err = db.BeginTx(ctx, nil)
		return err
	})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// patiently calls f again as long as somebody else holds the lock that it needs
// and ctx allows.
func patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		if code(err)&0xff != sqlite3.SQLITE_BUSY || ctx.Err() != nil {
			return err
		}
	}
}

// Close ends all connections. The database may be used again.
func (d *Database) Close() error {
	d.opening <- struct{}{}
	defer func() { <-d.opening }()
	return d.close()
}

func (d *Database) close() error {
	var err error
	for _, db := range []*sql.DB{d.reader, d.writer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	d.file, d.reader, d.writer = nil, nil, nil
	return err
}

// lock lets one call at a time open the database.
func (d *Database) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case d.opening <- struct{}{}:
		return func() { <-d.opening }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *Database) openReader(ctx context.Context) (db *sql.DB, done func(), err error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	return d.checked(ctx)
}

// checked returns the connections for reading, which are to be used until done is
// called, or [sqlstore.ErrEmpty] where there is no database yet. A file that took
// the place of the one that is open is opened instead.
func (d *Database) checked(ctx context.Context) (reader *sql.DB, done func(), err error) {
	file, err := os.Stat(d.path)
	if err == nil && file.Size() == 0 && d.wasDatabase() {
		return nil, nil, errEmptied // and no connection is closed, which could write to the file
	}
	if d.reader != nil && err == nil && os.SameFile(file, d.file) {
		return d.reader, func() {}, nil
	}
	d.close()
	if err := d.plausible(file, err); err != nil {
		return nil, nil, err
	}
	var lasting bool
	err = patiently(ctx, func() error {
		reader, lasting, err = d.inspect(ctx)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if !lasting {
		return reader, func() { reader.Close() }, nil
	}
	d.file, d.reader, d.existed = file, reader, true
	return reader, func() {}, nil
}

var errEmptied = errors.New("the file is empty, and was a database before")

// wasDatabase reports whether there was a database in a file that is empty: this process
// had it open, or its write-ahead log is still there.
func (d *Database) wasDatabase() bool {
	log, err := os.Stat(d.path + "-wal")
	return d.existed || err == nil && log.Size() > 0
}

// plausible fails for a file, or the error of looking for it, that SQLite need not
// look at: with [sqlstore.ErrEmpty] where there is nothing yet.
func (d *Database) plausible(file os.FileInfo, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = os.Stat(filepath.Dir(d.path)); err == nil {
			return sqlstore.ErrEmpty
		}
	}
	if err != nil {
		return err
	}
	switch size := file.Size(); {
	case file.IsDir():
		return errors.New("this is a folder, where a file is needed")
	case size == 0:
		return sqlstore.ErrEmpty
	case size < headerSize: // SQLite would take some of these for empty
		return fmt.Errorf("the file has %d bytes, so that it is no database", size)
	}
	return nil
}

func (d *Database) openWriter(ctx context.Context) (*sql.DB, error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	_, done, err := d.checked(ctx)
	if errors.Is(err, sqlstore.ErrEmpty) {
		if err = d.migrate(ctx); err == nil {
			_, done, err = d.checked(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	done()
	if d.writer == nil {
		// WAL mode stays in the file, but whoever set that up may have been killed before.
		d.writer = d.connect(1, "mode=rw", "_txlock=immediate", "_pragma=synchronous(FULL)", "_pragma=journal_mode(WAL)")
	}
	return d.writer, nil
}

// connect returns at most n connections to the file, which are made when they are
// needed.
func (d *Database) connect(n int, options ...string) *sql.DB {
	query := "?_pragma=busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")"
	for _, option := range options {
		query += "&" + option
	}
	path := filepath.ToSlash(d.path)
	if path[0] != '/' {
		path = "/" + path // C:/…
	}
	name := (&url.URL{Scheme: "file", Path: path}).String() + query
	connector, err := sqlite.NewConnector(name)
	if err != nil {
		panic("sqlite: " + err.Error()) // the name is made here, of whatever path
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}
