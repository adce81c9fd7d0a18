package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

func TestCacheGivesTheSame(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	before := listing(t, c.dir)
	c.check()
	if read := c.read(); len(read) < fewFiles {
		t.Fatalf("%d files read without a cache", len(read))
	}
	c.keep()
	if read := c.read(); len(read) != 0 {
		t.Errorf("read although they are remembered: %v", read)
	}
	c.check()
	c.checkNeighbours()
	if after := listing(t, c.dir); !reflect.DeepEqual(after, before) {
		t.Error("something was written to the folder of the catalog")
	}
	if c.log.Len() > 0 {
		t.Errorf("logged %s", &c.log)
	}
}

// TestChangesAreSeen changes files behind the cache in ways of which some keep
// the size, the time, the name or all of them.
func TestChangesAreSeen(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	at := func(name string) string { return filepath.Join(c.dir, name) }
	do := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	same := "---\npriority: 1\n---\n# TITLE 1\n\"Body\"\n" // as long as f1.md was
	for _, change := range []struct {
		name string
		do   func()
		read []string // what has to be read again
	}{
		{"nothing", func() {}, nil},
		{"content of the same length at the same time", func() { c.overwrite("f1.md", same) }, []string{"f1.md"}},
		{"another file in its place", func() {
			writeFiles(t, c.dir, map[string]string{"_new": same})
			do(os.Rename(at("_new"), at("f2.md")))
		}, []string{"f2.md"}},
		{"longer", func() { writeFiles(t, c.dir, map[string]string{"f3.md": "more " + same}) }, []string{"f3.md"}},
		{"only the time, which is served", func() { do(os.Chtimes(at("f4.md"), time.Time{}, modified.Add(time.Hour))) }, []string{"f4.md"}},
		{"a new one", func() { writeFiles(t, c.dir, map[string]string{"new/one.md": "x"}) }, []string{"new/one.md"}},
		{"one less", func() { do(os.Remove(at("f5.md"))) }, nil},
		{"another name", func() { do(os.Rename(at("f6.md"), at("six.md"))) }, []string{"six.md"}},
		{"two change names", func() {
			do(os.Rename(at("f7.md"), at("_7")), os.Rename(at("f8.md"), at("f7.md")), os.Rename(at("_7"), at("f8.md")))
		}, []string{"f7.md", "f8.md"}},
		{"a link in its place", func() { do(os.Remove(at("f9.md")), os.Symlink("f10.md", at("f9.md"))) }, []string{"f9.md"}},
		{"a folder in its place", func() {
			do(os.Remove(at("f11.md")))
			writeFiles(t, c.dir, map[string]string{"f11.md/x.md": "x"})
		}, []string{"f11.md/x.md"}},
		{"no instruction any more", func() { writeFiles(t, c.dir, map[string]string{"f12.md": ""}) }, []string{"f12.md"}},
		{"mended", func() { writeFiles(t, c.dir, map[string]string{"bad.json": jsonWith("id", `"mended"`)}) }, []string{"bad.json"}},
	} {
		c.keep()
		change.do()
		read := c.read()
		for _, path := range change.read {
			if !read[path] {
				t.Errorf("%s: %s was not read again", change.name, path)
			}
		}
		if len(read) > 20 { // those of earlier changes may not have been worth keeping
			t.Errorf("%s: %d files were read again", change.name, len(read))
		}
		c.check()
	}
	if c.log.Len() > 0 {
		t.Errorf("logged %s", &c.log)
	}
}

// A cache that is wrong in any way is named in the log, and the answers are those
// of the files.
func TestCacheThatIsNotBelieved(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(c *cached, path string) error{
		"cut off":  func(_ *cached, path string) error { return os.Truncate(path, 1000) },
		"emptied":  func(_ *cached, path string) error { return os.Truncate(path, 0) },
		"decayed":  func(_ *cached, path string) error { return flip(path, 2000) },
		"writable": func(_ *cached, path string) error { return os.Chmod(path, 0o666) },
		"open":     func(_ *cached, path string) error { return os.Chmod(filepath.Dir(path), 0o777) },
		"a link": func(_ *cached, path string) error {
			return errors.Join(os.Rename(path, path+"x"), os.Symlink(path+"x", path))
		},
		"a version": func(c *cached, _ string) error { return c.forge(func(f *forged) { f.version = "2" }) },
		"nonsense":  func(c *cached, _ string) error { return c.forge(func(f *forged) { f.content = "\xff\xff\xff" }) },
		"another":   func(c *cached, _ string) error { return c.forge(func(f *forged) { f.content = "\x05hello" }) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCached(t)
			c.keep()
			found, err := filepath.Glob(filepath.Join(c.folder, "*.cache"))
			if err != nil || len(found) != 1 {
				t.Fatalf("kept in %v, %v", found, err)
			}
			if err := spoil(c, found[0]); err != nil {
				t.Fatal(err)
			}
			c.check()
			if said := c.log.String(); strings.Count(said, "level=WARN") != 1 || !strings.Contains(said, "every file is read") {
				t.Errorf("logged %s", said)
			}
			if read := c.read(); len(read) < fewFiles {
				t.Errorf("%d files read", len(read))
			}
		})
	}
}

func flip(path string, at int) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[at] ^= 1
	return os.WriteFile(path, data, 0o600)
}

// forged is what forge writes.
type forged struct{ version, content string }

// forge writes a cache that is in order as a file.
func (c *cached) forge(change func(*forged)) error {
	f := forged{"1", ""}
	change(&f)
	cache := c.open()
	cache.version = f.version
	file, err := cache.file(c.dir)
	if err != nil {
		return err
	}
	return file.Write(c.Context(), func(w io.Writer) error {
		_, err := io.WriteString(w, f.content)
		return err
	})
}

// Verifying reads the files, whatever the cache says.
func TestVerifyDoesNotTrustTheCache(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	_, readings := c.readings(nil)
	for i := range readings {
		if r := &readings[i]; r.path == "f42.md" {
			new(catalog.Sealer).Seal(r.entry, "forged")
		}
	}
	var content bytes.Buffer
	if err := writeMemory(&content, pointersTo(readings[:len(readings)-1])); err != nil { // the last has what the walker said
		t.Fatal(err)
	}
	if err := c.forge(func(f *forged) { f.content = content.String() }); err != nil {
		t.Fatal(err)
	}
	from := New(c.dir, c.open())
	s, err := from.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := s.Get("f42"); e.Body.Text() != "forged" {
		t.Fatalf("the cache was not used: %q", e.Body.Text())
	}
	drifts, err := s.Verify(t.Context(), from.Reread, func(int, int) {})
	forged := 0
	for _, d := range drifts {
		if d.ID == "f42" {
			forged++
		}
	}
	if err != nil || forged != 1 {
		t.Errorf("got %v, %v", drifts, err)
	}
}

// A file that was changed a moment ago may be changed again without looking any
// different: it is not kept.
func TestRestlessFilesAreNotKept(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	cache := c.open()
	if _, err := NewFolder(c.dir, cache).Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	cache.End(time.Minute)
	if _, err := os.Stat(c.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("files of this moment were kept: %v", err)
	}
	now := time.Unix(1000, 0)
	for age, want := range map[time.Duration]bool{0: false, restless: false, restless + 1: true, -time.Hour: false} {
		id := identity{inode: 1, modified: 0, changed: now.Add(-age).UnixNano()}
		if id.settled(now) != want {
			t.Errorf("changed %v ago: settled %v", age, !want)
		}
		id.modified, id.changed = id.changed, 0
		if id.settled(now) != want {
			t.Errorf("modified %v ago: settled %v", age, !want)
		}
	}
	if (identity{}).settled(now) {
		t.Error("an unknown file is settled")
	}
}

// Written is what is worth it.
func TestWhenTheCacheIsWritten(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	c.keep()
	path, _ := filepath.Glob(filepath.Join(c.folder, "*.cache"))
	written := func() time.Time { return statOf(t, path[0]).ModTime() }
	if err := os.Chtimes(path[0], modified, modified); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, c.dir, map[string]string{"f1.md": "new", "f2.md": "new"})
	if c.keep(); !written().Equal(modified) {
		t.Error("written anew for two files")
	}
	for i := range len(manyFiles()) / worthwhile {
		if err := os.Remove(filepath.Join(c.dir, fmt.Sprintf("f%d.md", 100+i))); err != nil {
			t.Fatal(err)
		}
	}
	if c.keep(); written().Equal(modified) {
		t.Error("not written anew when one in fifty had changed or gone")
	}
	few := t.TempDir()
	writeFiles(t, few, map[string]string{"a.md": "a"})
	c.dir = few
	c.keep()
	if all, _ := filepath.Glob(filepath.Join(c.folder, "*")); len(all) != 1 {
		t.Errorf("kept for a single file: %v", all)
	}
}

func TestCacheEnds(t *testing.T) {
	t.Parallel()
	(*Cache)(nil).End(time.Minute)
	c := newCached(t)
	c.folder = filepath.Join(c.folder, "is", "nowhere")
	c.keep() // what cannot be written is no matter
	if c.log.Len() > 0 {
		t.Errorf("logged %s", &c.log)
	}
	c.check()
}

// FuzzMemory: whatever stands in a cache that was read, nothing breaks.
func FuzzMemory(f *testing.F) {
	dir := f.TempDir()
	writeFiles(f, dir, map[string]string{"a.md": "---\nid: A\n---\nx", "b.json": jsonWith("priority", `"3"`), "c.json": "{"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		f.Fatal(err)
	}
	readings, err := readAll(f.Context(), root, (*Cache)(nil).recall(dir))
	if err := errors.Join(err, root.Close()); err != nil {
		f.Fatal(err)
	}
	var seed bytes.Buffer
	if err := writeMemory(&seed, pointersTo(slices.Concat(readings...))); err != nil {
		f.Fatal(err)
	}
	f.Add(seed.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := newMemory(data)
		if (m == nil) == (err == nil) {
			t.Fatalf("got %v, %v", m, err)
		}
		if m == nil {
			return
		}
		var unpacker catalog.Unpacker
		for path, known := range m.files {
			_, id, _, _, _ := known.record.cut()
			reading, ok := m.take(path, &unpacker, func() identity { return id })
			if ok && reading.path != path {
				t.Errorf("%q is taken for %q", reading.path, path)
			}
		}
	})
}

func pointersTo(readings []reading) (pointers []*reading) {
	for i := range readings {
		pointers = append(pointers, &readings[i])
	}
	return pointers
}
