// Package postgres keeps tasks on a server that speaks PostgreSQL's protocol, with
// a bounded pool of connections. CockroachDB and YugabyteDB are such servers: the
// package uses nothing that they lack, and repeats a transaction that they could
// not put in order with others.
//
// It never connects before a use case needs it.
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

// A server that does not answer is given up after these.
const (
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second // of a connection that was idle
)

// Database is one database on a server. It implements [tasks.Store] and
// [sqlstore.DB].
type Database struct {
	pool *pgxpool.Pool
	db   *sql.DB // over the pool

	ready     atomic.Bool   // the schema is there
	preparing chan struct{} // holds one value while somebody looks for the schema
}

// New returns the database that a URL names, which is looked for when it is
// needed. The error repeats nothing of the URL that may be a password.
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
	return &Database{pool: pool, db: stdlib.OpenDBFromPool(pool), preparing: make(chan struct{}, 1)}, nil
}

// parse reads a URL. One with an @ behind the host is refused: it ends a password
// with a character that should have been escaped, and what stands before it would
// be taken for a host, and logged.
func parse(text string) (*pgxpool.Config, error) {
	noURL := errors.New("this is no URL of a PostgreSQL database: give postgres://USER@HOST:PORT/DATABASE")
	_, rest, found := strings.Cut(text, "://")
	if !found {
		return nil, noURL
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 && strings.Contains(rest[i:], "@") {
		return nil, errors.New("the URL of the PostgreSQL database has an @ behind the host: in a password write / as %2F, ? as %3F and # as %23; elsewhere write @ as %40")
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

// unusable returns the option without which a URL is in order, or "".
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

// Close ends all connections.
func (d *Database) Close() error {
	err := d.db.Close()
	d.pool.Close()
	return err
}

// Read implements [sqlstore.DB]. It waits for a server that is away.
func (d *Database) Read(ctx context.Context, fn func(*sql.DB) error) error {
	return d.attempt(ctx, func() error {
		if err := d.prepare(ctx, false); err != nil {
			return err
		}
		return fn(d.db)
	})
}

// Write implements [sqlstore.DB]. It waits for a server that is away. A server that
// falls silent before it was asked to commit has nothing to carry out when it is back,
// which is why even a single statement has a transaction.
func (d *Database) Write(ctx context.Context, fn func(*sql.Tx) error) error {
	return d.attempt(ctx, func() error {
		if err := d.prepare(ctx, true); err != nil {
			return err
		}
		return d.transact(ctx, fn)
	})
}

// attempt calls fn again while the server is away, or could not put a transaction in
// order with others, until ctx is done.
func (d *Database) attempt(ctx context.Context, fn func() error) error {
	for attempt := 0; ; attempt++ {
		err := d.watched(fn)
		again := wantsRetry(err) || isAway(err)
		if !again || errors.Is(err, tasks.ErrUnknownOutcome) || !pause(ctx, attempt) {
			return err
		}
	}
}

// transact runs a transaction. The error is [tasks.ErrUnknownOutcome] if the server was
// asked to commit and did not say what came of it.
func (d *Database) transact(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	err = tx.Commit()
	if code := state(err); err != nil && (code == "" || isAway(err)) {
		return fmt.Errorf("%w: %w", tasks.ErrUnknownOutcome, err)
	}
	return err
}

// isAway reports whether the server refuses connections or has ended this one, as it
// does while it starts or stops.
func isAway(err error) bool {
	switch state(err) {
	case "57P01", "57P02", "57P03": // admin_shutdown, crash_shutdown, cannot_connect_now
		return true
	case "":
	default:
		return false
	}
	ended := []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn}
	return slices.ContainsFunc(ended, func(e error) bool { return errors.Is(err, e) })
}

// watched calls fn and gives up all connections where one has failed: the others
// are likely to be as dead, and each would keep a caller waiting.
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

// wantsRetry reports whether the server could not put a transaction in order with
// others (SQLSTATE 40001, serialization_failure). It has not happened then.
func wantsRetry(err error) bool { return state(err) == "40001" }

// state is the SQLSTATE of an error that the server answered, or "".
func state(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// pause waits before another attempt, longer each time and never quite as long as
// others do. It reports false where ctx allows no more.
func pause(ctx context.Context, attempt int) bool {
	most := 10 * time.Millisecond << min(attempt, 6)
	select {
	case <-time.After(most/2 + rand.N(most/2)):
		return true
	case <-ctx.Done():
		return false
	}
}
