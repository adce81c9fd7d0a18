package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

// cached is a folder with enough files for a cache, and the cache.
type cached struct {
	*testing.T
	dir, folder string
	fresh       time.Time // when the files were changed
	log         bytes.Buffer
}

// manyFiles are files of every kind: with and without entries and diagnostics,
// and two with one id.
func manyFiles() map[string]string {
	files := map[string]string{"bad.json": "{", "no.json": "{}", "dup.md": "---\nid: f1\n---\nx", "bytes.md": "\xff"}
	for i, tt := range jsonFieldCases() {
		files[fmt.Sprintf("j/%d.json", i)] = jsonWith(tt.name, tt.source)
	}
	for i, tt := range markdownFieldCases() {
		files[fmt.Sprintf("m/%d.md", i)] = markdownWith(tt.source)
	}
	for i := range fewFiles {
		files[fmt.Sprintf("f%d.md", i)] = fmt.Sprintf("---\npriority: %d\n---\n# Title %d\n\"Body\"\n", i, i)
	}
	return files
}

// newCached returns a folder of files that are to come to rest only in a while, so
// that no load keeps them, however long a test takes.
func newCached(t *testing.T) *cached {
	if (systemIdentity(statOf(t, t.TempDir())) == identity{}) {
		t.Skip("files have no identity here: nothing is kept")
	}
	c := &cached{T: t, dir: t.TempDir(), folder: filepath.Join(t.TempDir(), "program"), fresh: time.Now().Add(30 * time.Minute)}
	c.write(manyFiles())
	return c
}

func (c *cached) write(files map[string]string) {
	c.Helper()
	writeFiles(c, c.dir, files)
	for name := range files {
		if err := os.Chtimes(filepath.Join(c.dir, filepath.FromSlash(name)), c.fresh, c.fresh); err != nil {
			c.Fatal(err)
		}
	}
}

// overwrite puts other content of the same length in a file, at the same time. A
// file system counts time in steps: as long as the step lasts, nobody could tell.
func (c *cached) overwrite(name, content string) {
	c.Helper()
	path := filepath.Join(c.dir, name)
	for before := identify(statOf(c.T, path)); identify(statOf(c.T, path)) == before; {
		c.write(map[string]string{name: content})
	}
}

func statOf(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// open returns the cache as a new process would.
func (c *cached) open() *Cache {
	return NewCache(c.folder, "1", slog.New(slog.NewTextHandler(&c.log, nil)))
}

// load loads the folder with the cache. What is to be kept of it is written
// before the test is over.
func (c *cached) load() *catalog.Snapshot {
	c.Helper()
	cache := c.open()
	c.Cleanup(func() { cache.End(time.Minute) })
	s, err := NewFolder(c.dir, cache).Load(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	return s
}

// keep reads the folder and keeps what came of it, as if the files had long been
// as they are.
func (c *cached) keep() {
	c.Helper()
	cache := c.open()
	m, readings := c.readings(cache)
	cache.remember(c.dir, m, [][]reading{readings}, time.Now().Add(time.Hour))
	cache.End(time.Minute)
}

func (c *cached) readings(cache *Cache) (*memory, []reading) {
	c.Helper()
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		c.Fatal(err)
	}
	defer root.Close()
	recalled := cache.recall(c.dir)
	readings, err := readAll(c.Context(), root, recalled)
	if err != nil {
		c.Fatal(err)
	}
	return recalled.wait(), slices.Concat(readings...)
}

// read returns the paths of the files that are read although there is a cache.
func (c *cached) read() map[string]bool {
	c.Helper()
	_, readings := c.readings(c.open())
	paths := map[string]bool{}
	for _, r := range readings {
		if r.record == nil && r.path != "" {
			paths[r.path] = true
		}
	}
	return paths
}

// check compares a load with the cache to one without.
func (c *cached) check() {
	c.Helper()
	got, want := c.load(), load(c.T, c.dir)
	if contents(got) != contents(want) || got.Hash() != want.Hash() || !reflect.DeepEqual(got.Entries(), want.Entries()) {
		c.Errorf("with the cache\n%s\nwithout\n%s", contents(got), contents(want))
	}
}

// checkNeighbours holds that entries of the cache lie side by side, as those do that
// were read.
func (c *cached) checkNeighbours() {
	c.Helper()
	s := c.load()
	var pieces [][]byte
	for _, e := range s.Entries() {
		pieces = e.AppendEncoded(pieces)
	}
	if all := len(s.Entries()); len(pieces) > all/4 {
		c.Errorf("a list of %d entries has %d pieces", all, len(pieces))
	}
}
