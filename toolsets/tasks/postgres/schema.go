package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"instruction-catalog/toolsets/tasks/sqlstore"
)

//go:embed migrations/*.sql
var embedded embed.FS

// current is the schema version that this program uses.
const current = 2

// undefinedTable is the SQLSTATE for a missing table.
const undefinedTable = "42P01"

// prepareReading checks once that the schema can be read. An older schema can also be
// read. It returns [sqlstore.ErrEmpty] if the schema does not exist.
func (d *Database) prepareReading(ctx context.Context) error {
	if d.version.Load() > 0 {
		return nil
	}
	return d.check(ctx)
}

// prepareWriting checks once that the schema is up to date. It creates or upgrades the
// schema if necessary.
func (d *Database) prepareWriting(ctx context.Context) error {
	if d.version.Load() == current {
		return nil
	}
	select {
	case d.preparing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	// goose releases its lock without a deadline. Therefore setUp runs in the
	// background: the caller does not wait for it beyond ctx, and no other call prepares
	// meanwhile.
	done := make(chan error, 1)
	go func() {
		defer func() { <-d.preparing }()
		done <- d.setUp(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *Database) setUp(ctx context.Context) error {
	err := d.check(ctx)
	if !errors.Is(err, sqlstore.ErrEmpty) && (err != nil || d.version.Load() == current) {
		return err
	}
	if err := d.migrate(ctx); err != nil {
		return err
	}
	return d.check(ctx)
}

// check sets d.version. It returns an error if the database does not have the schema of
// this program or of an older version.
func (d *Database) check(ctx context.Context) error {
	var version int
	err := d.db.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&version)
	switch {
	case state(err) == undefinedTable:
		return sqlstore.ErrEmpty
	case err != nil:
		return err
	case version > current:
		return fmt.Errorf("the database has version %d of the schema: a newer version of this program set it up", version)
	case version == 0:
		return sqlstore.ErrEmpty
	}
	for _, probe := range sqlstore.Probes[:version] {
		if _, err := d.db.ExecContext(ctx, probe); err != nil {
			return err
		}
	}
	d.version.Store(int32(version))
	return nil
}

// migrate creates or upgrades the schema while holding a lock that excludes other
// processes. The lock is a row with a lease, because not every supported server has
// PostgreSQL's advisory locks.
func (d *Database) migrate(ctx context.Context) error {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresTableLocker(
		lock.WithTableLeaseDuration(10*time.Second), lock.WithTableHeartbeatInterval(2*time.Second),
		lock.WithTableLockTimeout(100*time.Millisecond, 200),
		lock.WithTableLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, d.db, migrations, goose.WithLocker(locker))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
