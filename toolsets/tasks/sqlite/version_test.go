package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"testing"
)

// firstVersion returns the path and the bytes of a database with one task, in the first
// version of the schema.
func firstVersion(t *testing.T) (path string, content []byte) {
	t.Helper()
	path, _ = written(t)
	alter(t, path, "DROP TABLE task_keys; DELETE FROM goose_db_version WHERE version_id > 1; VACUUM")
	return path, read(t, path)
}

func versionIn(t *testing.T, path string) (version int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT MAX(version_id) FROM goose_db_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// TestFirstVersion checks that a database of the first version is read without a change,
// and upgraded by the first write although readers have it open.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	path, before := firstVersion(t)
	reader, writer := open(t, path), open(t, path)
	for _, d := range []*Database{reader, writer} {
		if got := titles(t, d); got != "one" {
			t.Errorf("listed %q", got)
		}
	}
	if !bytes.Equal(read(t, path), before) {
		t.Error("reading changed the file")
	}
	if _, err := ofAnn(writer).Complete(t.Context(), 1); err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	if version := versionIn(t, path); version != current {
		t.Errorf("version %d after a write", version)
	}
	if _, err := ofAnn(reader).AddOnce(t.Context(), "key", "two", ""); err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	if got := titles(t, reader); got != "one two" {
		t.Errorf("listed %q", got)
	}
}

// TestUpgradesAtOnce checks that several servers can upgrade one file at once.
func TestUpgradesAtOnce(t *testing.T) {
	t.Parallel()
	path, _ := firstVersion(t)
	var group sync.WaitGroup
	for range 8 {
		d := open(t, path)
		group.Go(func() {
			if _, err := ofAnn(d).AddOnce(t.Context(), "key", "two", ""); err != nil {
				t.Error(err, errors.Unwrap(err))
			}
		})
	}
	group.Wait()
	if got := titles(t, open(t, path)); got != "one two" {
		t.Errorf("listed %q", got)
	}
}

// TestAListPassesABlockedUpgrade checks that reading does not wait for an upgrade that
// waits for another process.
func TestAListPassesABlockedUpgrade(t *testing.T) {
	t.Parallel()
	path, _ := firstVersion(t)
	_, release := lock(t, path)
	d := open(t, path)
	added := make(chan error)
	go func() {
		_, err := ofAnn(d).Add(t.Context(), "two", "")
		added <- err
	}()
	for len(d.migrating) == 0 { // until the writer has begun
		if got := titles(t, d); got != "one" {
			t.Errorf("listed %q", got)
		}
	}
	if got := titles(t, d); got != "one" {
		t.Errorf("listed %q", got)
	}
	release()
	if err := <-added; err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	if got := titles(t, d); got != "one two" {
		t.Errorf("listed %q", got)
	}
}

// TestKeysExpire checks that a key is kept for a day.
func TestKeysExpire(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	d := open(t, path)
	for _, age := range []int{0, 86_000, 500} { // in seconds, added up
		alter(t, path, "UPDATE task_keys SET added = added - "+strconv.Itoa(age))
		if _, err := ofAnn(d).AddOnce(t.Context(), "key", "two", ""); err != nil {
			t.Fatal(err, errors.Unwrap(err))
		}
	}
	if got := titles(t, d); got != "one two two" {
		t.Errorf("listed %q", got)
	}
}
