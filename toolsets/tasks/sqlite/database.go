// Package sqlite stores tasks in a file, with one connection for writing and several for
// reading. Several processes may use the file at once.
//
// The package rejects a file that is corrupt, belongs to another program or was created
// by a newer version of this one, and does not change it. Reading never changes the file
// and never creates one.
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

// readers is the maximum number of concurrent reads.
const readers = 8

// headerSize is the size of the header of a SQLite database, in bytes.
const headerSize = 100

// busyTimeout is how long SQLite itself waits for a lock. That wait cannot be
// interrupted, so it is short and [patiently] retries.
const busyTimeout = time.Second

// Database is a database file. It implements [tasks.Store] and [sqlstore.DB].
type Database struct {
	path string

	migrating semaphore   // held while a writer opens the database, which may wait for other processes
	opening   semaphore   // guards the fields below
	file      os.FileInfo // the open file
	version   int         // its schema version at the last check
	reader    *sql.DB     // nil until the file has been checked
	writer    *sql.DB     // nil until the first write
	existed   bool        // whether path has held a database
}

// semaphore is a lock that can be waited for with a context.
type semaphore chan struct{}

func (s semaphore) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// New returns the database in a file. The name is used literally, without URL parsing.
// The file is opened on first use.
func New(name string) (*Database, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return &Database{path: path, migrating: make(semaphore, 1), opening: make(semaphore, 1)}, nil
}

// Repository implements [tasks.Store].
func (d *Database) Repository(user tasks.UserID) tasks.Repository {
	return sqlstore.NewRepository(d, user)
}

// Read implements [sqlstore.DB]. It waits for writers only if the file is not yet in WAL
// mode.
func (d *Database) Read(ctx context.Context, fn func(*sql.DB) error) error {
	db, done, err := d.openReader(ctx)
	if err != nil {
		return err
	}
	defer done()
	return patiently(ctx, func() error { return fn(db) })
}

// Write implements [sqlstore.DB]. It waits for other writers until ctx is done. The
// outcome of a commit to a file is always known.
func (d *Database) Write(ctx context.Context, _ sqlstore.Repeat, fn func(*sql.Tx) error) error {
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

// patiently calls f again while the database is locked, until ctx is done.
func patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		if code(err)&0xff != sqlite3.SQLITE_BUSY || ctx.Err() != nil {
			return err
		}
	}
}

// Close closes all connections. The database can be used again afterwards.
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

func (d *Database) openReader(ctx context.Context) (db *sql.DB, done func(), err error) {
	unlock, err := d.opening.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	return d.checked(ctx)
}

// checked returns the connections for reading, which the caller may use until it calls
// done. It returns [sqlstore.ErrEmpty] if there is no database yet. If the open file was
// replaced, it opens the new one, unless the log of the old one remains.
func (d *Database) checked(ctx context.Context) (reader *sql.DB, done func(), err error) {
	file, err := os.Stat(d.path)
	if err == nil && file.Size() == 0 && d.wasDatabase() {
		return nil, nil, errEmptied // keep connections open, since closing one could write to the file
	}
	if d.reader != nil && err == nil && os.SameFile(file, d.file) {
		return d.reader, func() {}, nil
	}
	if d.file != nil && (err == nil || errors.Is(err, fs.ErrNotExist)) && d.logged() {
		return nil, nil, errReplaced
	}
	d.close()
	if err := d.plausible(file, err); err != nil {
		return nil, nil, err
	}
	var lasting bool
	err = patiently(ctx, func() error {
		reader, d.version, lasting, err = d.inspect(ctx)
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

var (
	errEmptied = errors.New("the file is empty, and was a database before")
	// SQLite would apply the log of the old file to the new one.
	errReplaced = errors.New("the file was replaced or removed while it was in use, and the log beside it is that of the old file: " +
		"end the programs that use it, remove the files whose names end with -wal and -shm, and start again")
)

// wasDatabase reports whether a now empty file held a database before: this process had
// it open, or its write-ahead log still exists.
func (d *Database) wasDatabase() bool {
	log, err := os.Stat(d.path + "-wal")
	return d.existed || err == nil && log.Size() > 0
}

// plausible checks the result of os.Stat before SQLite opens the file. It returns
// [sqlstore.ErrEmpty] if there is no database yet, and another error if the file cannot
// be one.
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
	case size < headerSize: // SQLite would treat some of these as empty
		return fmt.Errorf("the file has %d bytes, so that it is no database", size)
	}
	return nil
}

// openWriter returns the connection for writing. It brings the schema up to date first.
// Readers do not wait for that.
func (d *Database) openWriter(ctx context.Context) (*sql.DB, error) {
	unlock, err := d.migrating.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	writer, version, err := d.writable(ctx)
	if err != nil || version == current {
		return writer, err
	}
	if version == 0 {
		err = d.create(ctx)
	} else {
		err = d.upgrade(ctx)
	}
	if err != nil {
		return nil, err
	}
	writer, _, err = d.writable(ctx)
	return writer, err
}

// writable returns the connection for writing and the version of the schema, which is 0 if
// there is no database yet.
func (d *Database) writable(ctx context.Context) (writer *sql.DB, version int, err error) {
	unlock, err := d.opening.lock(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer unlock()
	reader, done, err := d.checked(ctx)
	if errors.Is(err, sqlstore.ErrEmpty) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer done()
	if d.version < current { // another process may have upgraded the file since it was checked
		if d.version, err = check(ctx, reader); err != nil {
			return nil, 0, err
		}
	}
	if d.writer == nil {
		d.writer = d.connectWriter()
	}
	return d.writer, d.version, nil
}

// connectWriter returns a pool of one connection for writing. It sets WAL mode, which the
// file stores, in case the process that created the file was killed before setting it.
func (d *Database) connectWriter() *sql.DB {
	return d.connect(1, "mode=rw", "_txlock=immediate", "_pragma=synchronous(FULL)", "_pragma=journal_mode(WAL)")
}

// connect returns a pool of at most n connections to the file. It opens them on demand.
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
		panic("sqlite: " + err.Error()) // the name is always a valid URL, whatever the path
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}
