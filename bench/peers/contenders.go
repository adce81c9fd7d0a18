package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the pure-Go driver "sqlite"

	"instruction-catalog/bench"
	"instruction-catalog/catalog/source"
	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

// openCatalog returns a contender for our own server, called in process, and the texts
// of the catalog. Its Holds is the memory of the entries and of the index.
func openCatalog(ctx context.Context, path string) (*contender, []document, error) {
	ours := &contender{performance: performance{Name: "catalog"}}
	before := heap()
	snapshot, err := source.New(path).Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	snapshot.BuildIndex()
	ours.Build = inMilliseconds(time.Since(start))
	ours.Holds = heap() - before
	var texts []document
	for _, e := range snapshot.Entries() {
		texts = append(texts, document{e.Title, e.Body.Text()})
	}
	toolset := instructions.New(instructions.Config{Dir: path, Now: time.Now})
	registry, err := server.NewRegistry(server.Config{Version: "peers", Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: time.Now}, toolset.Toolset())
	if err != nil {
		return nil, nil, err
	}
	ours.count = func(ctx context.Context, term string) (int, error) {
		params, err := json.Marshal(map[string]any{"q": term, "limit": 1, "fields": []string{"id"}})
		if err != nil {
			return 0, err
		}
		answer, failure := registry.Call(ctx, "instructions/search", params)
		if failure != nil {
			return 0, failure
		}
		var found struct{ Count int }
		err = json.Unmarshal(answer.Bytes(), &found)
		return found.Count, err
	}
	return ours, texts, nil
}

// heap returns the memory in use. It collects garbage twice because sync.Pools are
// emptied only by the second collection.
func heap() bench.Bytes {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return bench.Bytes(m.HeapAlloc)
}

// openRipgrep returns a contender that runs ripgrep over the files for each search. If
// ripgrep is not installed, it sets Missing.
func openRipgrep(ctx context.Context, path string) (*contender, error) {
	c := &contender{performance: performance{Name: "ripgrep"}, wholeFiles: true}
	if _, err := exec.LookPath("rg"); err != nil {
		c.Missing = "not installed"
		return c, nil
	}
	version, err := exec.CommandContext(ctx, "rg", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("rg --version: %w", err)
	}
	_, _ = fmt.Sscan(strings.TrimPrefix(string(version), "ripgrep "), &c.Version)
	c.count = func(ctx context.Context, term string) (int, error) { return countEntries(ctx, path, term) }
	return c, nil
}

// countEntries counts the entries that contain a term, ignoring case: files in a
// folder, lines in a bundle. rg exits with 1 if it finds nothing.
func countEntries(ctx context.Context, path, term string) (n int, err error) {
	args := []string{"--count", "--no-filename", "--no-config", "--no-ignore", "--ignore-case", "--fixed-strings", "--", term, path}
	if filepath.Ext(path) != ".jsonl" {
		args = append([]string{"--max-count=1"}, args...)
	}
	counts, err := exec.CommandContext(ctx, "rg", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return 0, nil
	}
	for count := range strings.FieldsSeq(string(counts)) {
		lines, bad := strconv.Atoi(count)
		n, err = n+lines, errors.Join(err, bad)
	}
	return n, err
}

// openSQLite returns a contender for an in-memory table of SQLite's full-text search.
// Its index consists of trigrams and is optimised after all texts are inserted. Like
// our search, it finds substrings and counts them exactly; it compares case character
// by character.
func openSQLite(ctx context.Context, texts []document) (*contender, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would open its own in-memory database
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

// phrase quotes a term so that FTS5 finds no operators in it.
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
