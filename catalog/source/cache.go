package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"instruction-catalog/cachefile"
)

const (
	// fewFiles is how many files are read so quickly that nothing is kept.
	fewFiles = 200
	// A cache is written anew when at least one in worthwhile files was read
	// that might have been remembered, or is remembered and gone.
	worthwhile = 50
	// afterwards is how long writing it waits for the answers to go out first.
	afterwards = time.Second
)

// Cache keeps what came of the files of folders from one start to the next, in
// the user's cache folder. Of a file that has changed, or has been replaced, it
// knows nothing, and nothing at all if anything is wrong with it. A nil Cache
// keeps nothing.
type Cache struct {
	folder  string
	version string
	log     *slog.Logger

	writes sync.WaitGroup
	ending chan struct{} // closed when nothing is to be waited for any more
	ctx    context.Context
	cancel context.CancelFunc
}

// NewCache returns a cache in a folder of its own, which need not exist. What
// another version of the program wrote is not believed. What is wrong with the
// cache goes to the log.
func NewCache(folder, version string, log *slog.Logger) *Cache {
	ctx, cancel := context.WithCancel(context.Background())
	return &Cache{folder: folder, version: version, log: log, ending: make(chan struct{}), ctx: ctx, cancel: cancel}
}

// End has what is to be kept written, and waits for it for so long. The cache
// must not be used afterwards.
func (c *Cache) End(limit time.Duration) {
	if c == nil {
		return
	}
	defer c.cancel()
	close(c.ending)
	written := make(chan struct{})
	go func() {
		c.writes.Wait()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(limit):
	}
}

// recall is the reading of what is remembered of a folder, under way.
type recall struct {
	done chan struct{} // closed when it is done
	m    *memory       // then
}

func (r *recall) ready() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

func (r *recall) wait() *memory {
	<-r.done
	return r.m
}

// recall begins to read what is remembered of a folder.
func (c *Cache) recall(dir string) *recall {
	r := &recall{done: make(chan struct{}), m: &memory{}}
	if c == nil {
		close(r.done)
		return r
	}
	go func() {
		defer close(r.done)
		m, err := c.read(dir)
		if err == nil {
			r.m = m
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, cachefile.ErrUnsupported) {
			c.log.Warn("the cache is not believed, and every file is read", "folder", c.folder, "why", err)
		}
	}()
	return r
}

func (c *Cache) read(dir string) (*memory, error) {
	file, err := c.file(dir)
	if err != nil {
		return nil, err
	}
	data, err := file.Read()
	if err != nil {
		return nil, err
	}
	return newMemory(data)
}

// remember keeps what came of the files of a folder, which were read from the
// given moment on, some time later.
func (c *Cache) remember(dir string, m *memory, readings [][]reading, moment time.Time) {
	if c == nil {
		return
	}
	var kept []*reading
	taken := 0
	for _, batch := range readings {
		for i := range batch {
			r := &batch[i]
			if r.record != nil {
				taken++
			}
			if r.record != nil || r.id.settled(moment) {
				kept = append(kept, r)
			}
		}
	}
	news := len(kept) - taken + len(m.files) - taken
	if len(kept) < fewFiles || news*worthwhile < len(kept) {
		return
	}
	c.writes.Go(func() {
		select {
		case <-time.After(afterwards):
		case <-c.ending:
		}
		c.write(dir, kept)
	})
}

func (c *Cache) write(dir string, readings []*reading) {
	file, err := c.file(dir)
	if err == nil {
		err = file.Write(c.ctx, func(w io.Writer) error { return writeMemory(w, readings) })
	}
	if err != nil { // it was not needed
		c.log.Debug("the cache was not written", "folder", c.folder, "why", err)
	}
}

// file returns the file for a folder, named after where that really is.
func (c *Cache) file(dir string) (*cachefile.File, error) {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(resolved)
	if err != nil {
		return nil, err
	}
	form, err := c.form()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(absolute))
	return cachefile.New(c.folder, hex.EncodeToString(sum[:16])+".cache", form), nil
}

// form names the program that understands the cache: what it makes of a file
// may change with every build.
func (c *Cache) form() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("instruction catalog cache 3 of %q for %s/%s, built as %d bytes at %d",
		c.version, runtime.GOOS, runtime.GOARCH, info.Size(), info.ModTime().UnixNano()), nil
}
