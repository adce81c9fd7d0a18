package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite", in Go alone
)

// openSQLite returns a table of SQLite's full-text search, in memory, whose
// index is of trigrams and optimised after all texts are in. Like ours, it finds
// substrings and counts them exactly; it compares case character by character.
func openSQLite(ctx context.Context, texts []document) (*contender, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	c := &contender{performance: performance{Name: "SQLite FTS5 trigram"}}
	start := time.Now()
	if err := fill(ctx, db, texts); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.Build = inMilliseconds(time.Since(start))
	count, err := db.PrepareContext(ctx, "SELECT count(*) FROM texts WHERE texts MATCH ?")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.count = func(ctx context.Context, term string) (n int, err error) {
		return n, count.QueryRowContext(ctx, phrase(term)).Scan(&n)
	}
	c.close = func() error { return errors.Join(count.Close(), db.Close()) }
	row := db.QueryRowContext(ctx, "SELECT sqlite_version(), page_count * page_size FROM pragma_page_count, pragma_page_size")
	if err := row.Scan(&c.Version, &c.Holds); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// phrase quotes a term, so that nothing in it is an operator.
func phrase(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

func fill(ctx context.Context, db *sql.DB, texts []document) error {
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize = 'trigram')"); err != nil {
		return err
	}
	all, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	insert, err := all.PrepareContext(ctx, "INSERT INTO texts VALUES (?, ?)")
	for i := 0; err == nil && i < len(texts); i++ {
		_, err = insert.ExecContext(ctx, texts[i].Title, texts[i].Body)
	}
	if err != nil {
		return errors.Join(err, all.Rollback())
	}
	if err := all.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO texts(texts) VALUES ('optimize')")
	return err
}
