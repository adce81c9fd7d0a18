// Package postgres stores tasks on a server that speaks the PostgreSQL protocol, through
// a bounded connection pool. It also works with CockroachDB and YugabyteDB: it uses only
// features that they support, and retries transactions that fail with a serialization
// error.
//
// It connects only when a use case needs the database.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlstore"
)

// Timeouts for a server that does not answer.
const (
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second // for checking a connection that was idle
)

// Database is a database on a server. It implements [tasks.Store] and [sqlstore.DB].
type Database struct {
	pool    *pgxpool.Pool
	db      *sql.DB // uses pool
	writing *sql.DB // uses pool, but not its last connection: blocked writers must not block readers

	version   atomic.Int32  // schema version at the last check
	preparing chan struct{} // semaphore: held while the schema is created or upgraded
}

// New returns the database at a URL. It does not connect. Its errors never contain a
// part of the URL that may be a password.
func New(name string) (*Database, error) {
	config, err := parse(name)
	if err != nil {
		return nil, err
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.PingTimeout = pingTimeout
	if _, given := config.ConnConfig.RuntimeParams["statement_timeout"]; !given {
		config.ConnConfig.RuntimeParams["statement_timeout"] = strconv.FormatInt(tasks.Limit.Milliseconds(), 10)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, errors.New("the settings of the pool of connections are not usable")
	}
	d := &Database{pool: pool, db: stdlib.OpenDBFromPool(pool), writing: stdlib.OpenDBFromPool(pool), preparing: make(chan struct{}, 1)}
	d.writing.SetMaxOpenConns(max(1, int(config.MaxConns)-1))
	return d, nil
}

// parse parses a URL. It rejects a URL with an @ after the host: its password may contain
// an unescaped character, and the part before that character would be taken for the host
// and logged.
func parse(text string) (*pgxpool.Config, error) {
	noURL := errors.New("this is not the URL of a PostgreSQL database: give postgres://USER@HOST:PORT/DATABASE")
	_, rest, found := strings.Cut(text, "://")
	if !found {
		return nil, noURL
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 && strings.Contains(rest[i:], "@") {
		return nil, errors.New("the URL of the PostgreSQL database has an @ after the host: in a password write / as %2F, ? as %3F and # as %23; elsewhere write @ as %40")
	}
	config, err := pgxpool.ParseConfig(text)
	if err == nil {
		return config, nil
	}
	if option := unusable(text); option != "" {
		return nil, fmt.Errorf("the option %q of the URL of the PostgreSQL database has a value that cannot be used", option)
	}
	return nil, noURL
}

// unusable returns the option whose removal makes the URL valid, or "" if there is none.
func unusable(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	options := u.Query()
	for _, option := range slices.Sorted(maps.Keys(options)) {
		others := maps.Clone(options)
		others.Del(option)
		u.RawQuery = others.Encode()
		if _, err := pgxpool.ParseConfig(u.String()); err == nil {
			return option
		}
	}
	return ""
}

// Repository implements [tasks.Store].
func (d *Database) Repository(user tasks.UserID) tasks.Repository {
	return sqlstore.NewRepository(d, user)
}

// Close closes all connections.
func (d *Database) Close() error {
	err := errors.Join(d.db.Close(), d.writing.Close())
	d.pool.Close()
	return err
}

// Read implements [sqlstore.DB]. It retries while the server is unavailable, until ctx
// is done.
func (d *Database) Read(ctx context.Context, fn func(*sql.DB) error) error {
	return d.attempt(ctx, sqlstore.Once, func() error {
		if err := d.prepareReading(ctx); err != nil {
			return err
		}
		return fn(d.db)
	})
}

// Write implements [sqlstore.DB]. It retries while the server is unavailable, until ctx
// is done. Even a single statement runs in a transaction: if the server stops responding
// before the commit, it has nothing to carry out later.
func (d *Database) Write(ctx context.Context, repeat sqlstore.Repeat, fn func(*sql.Tx) error) error {
	return d.attempt(ctx, repeat, func() error {
		if err := d.prepareWriting(ctx); err != nil {
			return err
		}
		return d.transact(ctx, fn)
	})
}

// attempt calls fn again while the server is unavailable or reports a serialization
// failure, until ctx is done. After an unknown outcome it calls fn again only if fn is
// repeatable. A later error does not make that outcome known.
func (d *Database) attempt(ctx context.Context, repeat sqlstore.Repeat, fn func() error) error {
	var unknown error
	for attempt := 0; ; attempt++ {
		err := d.watched(fn)
		again := wantsRetry(err) || isAway(err)
		if errors.Is(err, tasks.ErrUnknownOutcome) {
			unknown, again = err, bool(repeat)
		}
		if again && pause(ctx, attempt) {
			continue
		}
		if unknown == nil || err == nil || errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return unknown
	}
}

// transact runs fn in a transaction. It returns [tasks.ErrUnknownOutcome] if the commit
// was sent but its result is not known.
func (d *Database) transact(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := d.writing.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	err = tx.Commit()
	if errors.Is(err, pgconn.ErrConnClosed) {
		return err // the connection was closed before the commit was sent
	}
	if code := state(err); err != nil && (code == "" || isAway(err)) {
		return fmt.Errorf("%w: %w", tasks.ErrUnknownOutcome, err)
	}
	return err
}

// isAway reports whether err means that the server refuses connections or has closed
// this one, as it does while starting or stopping.
func isAway(err error) bool {
	switch state(err) {
	case "57P01", "57P02", "57P03": // admin_shutdown, crash_shutdown, cannot_connect_now
		return true
	case "":
	default:
		return false
	}
	ended := []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn, pgconn.ErrConnClosed}
	return slices.ContainsFunc(ended, func(e error) bool { return errors.Is(err, e) })
}

// watched calls fn and closes all connections if one has failed. The others have
// probably failed too, and each would delay a call.
func (d *Database) watched(fn func() error) error {
	err := fn()
	_, answered := errors.AsType[*pgconn.PgError](err)
	expected := err == nil || answered || errors.Is(err, sql.ErrNoRows) || errors.Is(err, context.Canceled) ||
		errors.Is(err, sqlstore.ErrEmpty)
	if !expected {
		d.pool.Reset()
	}
	return err
}

// wantsRetry reports whether err is a serialization failure (SQLSTATE 40001), after which
// the server has rolled the transaction back.
func wantsRetry(err error) bool { return state(err) == "40001" }

// state returns the SQLSTATE of an error from the server, or "" for other errors.
func state(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// pause waits before the next attempt. The wait grows with each attempt and has random
// jitter. It returns false if ctx is done first.
func pause(ctx context.Context, attempt int) bool {
	most := 10 * time.Millisecond << min(attempt, 6)
	select {
	case <-time.After(most/2 + rand.N(most/2)):
		return true
	case <-ctx.Done():
		return false
	}
}
