package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// cachedFrom is from how many entries on starts with a cache are measured:
	// few files are read as quickly as a cache of them.
	cachedFrom = 1000
	// settling is how long files must have been left alone before a server can
	// be expected to remember them.
	settling = 5 * time.Second
)

// cache is one that a server has written and finds when it is started again.
type cache struct {
	server  Command
	folder  string // where it is, and nothing else
	file    string
	written time.Time
}

// newCache has a server write its cache of the catalog into a folder made for
// that, and checks what the next server answers with it. It is nil where none is
// kept: of a bundle, of few files, or on a system that does not allow it.
func (t *trial) newCache(ctx context.Context, first *question) (*cache, error) {
	if t.Cached == nil || t.corpus.form.name != Folder || t.corpus.truth.entries < cachedFrom {
		return nil, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Until(t.corpus.written.Add(settling))):
	}
	folder, err := os.MkdirTemp("", "catalog-bench-cache-")
	if err != nil {
		return nil, err
	}
	c := &cache{folder: folder, server: t.Cached(t.corpus.path, folder)}
	if err := t.fill(ctx, c, first); err != nil || c.file == "" {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

func (t *trial) fill(ctx context.Context, c *cache, first *question) error {
	if _, err := t.firstAnswer(ctx, c.server, first); err != nil {
		return err
	}
	if err := c.find(); err != nil || c.file == "" {
		return err
	}
	_, err := t.firstAnswer(ctx, c.server, first)
	return err
}

// find finds the file that the server wrote, if it did.
func (c *cache) find() error {
	return filepath.WalkDir(c.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		c.file, c.written = path, info.ModTime()
		return nil
	})
}

// check makes sure that every server found the cache as it was, for one that
// does not believe it writes it anew.
func (c *cache) check() error {
	info, err := os.Stat(c.file)
	if err != nil {
		return err
	}
	if !info.ModTime().Equal(c.written) {
		return fmt.Errorf("%q did not use its cache but wrote it anew: nothing can be said of a start with it", c.server)
	}
	return nil
}

func (c *cache) remove() error {
	if c == nil {
		return nil
	}
	return os.RemoveAll(c.folder)
}
