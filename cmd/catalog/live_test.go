package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// until repeats a call until its answer contains a text, or no longer contains it if
// want begins with "!". Only the guard ends it otherwise.
func (s *session) until(method, params, want string) {
	s.t.Helper()
	want, not := strings.CutPrefix(want, "!")
	for end := time.Now().Add(guard / 4); ; time.Sleep(5 * time.Millisecond) {
		answer := string(s.call(method, params).line)
		if strings.Contains(answer, want) != not {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s %s: waited for %q, the answer is still %.2000s", method, params, want, answer)
		}
	}
}

// live is a catalog that a test changes while a server serves it.
type live struct {
	t   *testing.T
	dir string
}

func newLive(t *testing.T) live {
	l := live{t, filepath.Join(t.TempDir(), "catalog")}
	for _, name := range []string{"a.md", "b.md", "deep/c.md"} {
		l.write(name, "# Title\n\nFirst text.\n")
	}
	return l
}

func (l live) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l live) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l live) write(name, content string) {
	l.t.Helper()
	l.must(os.MkdirAll(filepath.Dir(l.path(name)), 0o755))
	l.must(os.WriteFile(l.path(name), []byte(content), 0o644))
}

// Later answers show every kind of change to a file.
func TestServeFollowsFiles(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	list := func(want string) { t.Helper(); s.until("instructions/list", "{}", want) }
	list(`"id":"a"`)

	l.write("a.md", "# Title\n\nText that was written over.\n")
	list("written over")
	l.write("a.md~", "# Title\n\nText that was renamed.\n")
	l.must(os.Rename(l.path("a.md~"), l.path("a.md")))
	list("was renamed")

	l.must(os.Remove(l.path("b.md")))
	list(`!"id":"b"`)
	l.write("new/newer/d.md", "# Title\n\nIn a new folder.\n")
	list("In a new folder")
	l.write("new/newer/e.md", "# Title\n\nLater, in a new folder.\n")
	list("Later, in")
	l.must(os.Rename(l.path("new"), l.path("old")))
	l.write("old/newer/f.md", "# Title\n\nIn a renamed folder.\n")
	list("In a renamed")
	l.must(os.RemoveAll(l.path("old")))
	list("!In a renamed")
	s.end()
}

// A change is detected even if the file's times stay the same.
func TestServeFollowsHiddenChange(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("size and time of modification are all that is known here")
	}
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	s.until("instructions/list", "{}", "First")
	before, err := os.Stat(l.path("a.md"))
	l.must(err)
	l.write("a.md", "# Title\n\nOther text.\n")
	l.must(os.Chtimes(l.path("a.md"), time.Time{}, before.ModTime()))
	s.until("instructions/get", `{"id":"a"}`, "Other")
	s.end()
}

// An entry whose file is temporarily invalid is served as before, and reported.
func TestServeKeepsBrokenEntry(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	health := func(want string) { t.Helper(); s.until("health/check", `{"detail":true}`, want) }
	health(`"errors":0`)
	l.write("a.md", "")
	health(`"errors":1,"warnings":0,"notes":0,"kept":1`)
	s.until("instructions/get", `{"id":"a"}`, "First")
	s.until("integrity/verify", `{"detail":true}`, "served as it was before")
	l.write("a.md", "# Title\n\nWhole again.\n")
	health(`"errors":0,"warnings":0,"notes":0}`)
	s.until("instructions/get", `{"id":"a"}`, "Whole again")
	l.write("a.md", "\xff")
	health(`"errors":1`)
	l.must(os.Remove(l.path("a.md")))
	health(`"errors":0`)
	s.until("instructions/list", "{}", `!"id":"a"`)
	s.in.Close()
	if s.wait(); strings.Count(s.stderr.String(), `level=WARN msg="a.md`) != 2 {
		t.Errorf("not one warning for each time that a.md was broken:\n%s", &s.stderr)
	}
}

// While the folder is missing the last catalog is served; afterwards, the new content
// is.
func TestServeFollowsReturningFolder(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	s.until("instructions/list", "{}", "First")
	l.must(os.Rename(l.dir, l.dir+".gone")) // renamed in one step: removing files one by one would be served step by step
	s.until("health/check", `{"detail":true}`, `"stale":"the instruction folder`)
	s.until("instructions/list", "{}", "First")
	l.write("new.md", "# Title\n\nThe folder came back.\n")
	s.until("instructions/list", "{}", "came back")
	s.until("instructions/list", "{}", "!First")
	s.until("health/check", `{"detail":true}`, `!"stale"`)
	s.in.Close()
	if code := s.wait(); code != exitClean || !strings.Contains(s.stderr.String(), "the previous state of the catalog is still served") {
		t.Errorf("exit code %d, log:\n%s", code, &s.stderr)
	}
}

// Appending to a bundle, replacing it and writing half of it are detected, too.
func TestServeFollowsBundle(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	line := func(id string) string { return `{"id":"` + id + `","title":"T","body":"B"}` + "\n" }
	l.write("b.jsonl", line("one"))
	s := build(t).serve(t, l.path("b.jsonl"))
	s.until("instructions/list", "{}", `"id":"one"`)
	l.write("b.jsonl", line("one")+line("two"))
	s.until("instructions/list", "{}", `"id":"two"`)
	l.write("b.jsonl", line("one")+line("two")[:20])
	s.until("health/check", `{"detail":true}`, "it is cut short in line 2")
	s.until("instructions/list", "{}", `"id":"two"`)
	l.write("b.jsonl", "<<<<<<< ours\n")
	s.until("health/check", `{"detail":true}`, "it no longer has an entry")
	s.until("instructions/list", "{}", `"id":"two"`)
	l.write("b.new", line("three"))
	l.must(os.Rename(l.path("b.new"), l.path("b.jsonl")))
	s.until("instructions/list", "{}", `"id":"three"`)
	s.until("health/check", `{"detail":true}`, `!"stale"`)
	s.end()
}

// Gates and criteria are read from their files; invalid ones fail.
func TestServeFollowsPolicy(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	criteria := func(word string) {
		l.write("../criteria.json", `{"version":"1","categories":[{"id":"words","rules":[{"id":"word","pattern":"`+word+
			`","severity":"high","description":"d","remediation":"r"}]}]}`)
	}
	criteria("apple")
	s := build(t).serve(t, l.dir, "--criteria", l.path("../criteria.json"))
	gates := func(want string) { t.Helper(); s.until("gates/evaluate", "{}", want) }
	gates(`"notConfigured":true`)
	l.write("gates.json", `{"gates":[{"id":"some","type":"count","where":{},"op":">=","value":1,"severity":"error"}]}`)
	gates(`"errors":0`)
	l.write("gates.json", `{"gates":[`)
	gates(`"errors":1`)
	l.must(os.Remove(l.path("gates.json")))
	gates(`"notConfigured":true`)

	review := func(want string) { t.Helper(); s.until("prompt/review", `{"prompt":"an apple and a pear"}`, want) }
	review(`"match":"apple"`)
	criteria("pear")
	review(`"match":"pear"`)
	criteria("(")
	review(`"error"`)
	criteria("plum")
	review(`"issues":[]`)
	s.end()
}

func TestServeFollowsFilesOverHTTP(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).listen(t, "--dir", l.dir)
	search := func(want string) {
		t.Helper()
		for end := time.Now().Add(guard / 4); ; time.Sleep(5 * time.Millisecond) {
			if strings.Contains(s.tool("", "instructions_search", `{"q":"`+want+`"}`), `"id":"a"`) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("waited for %q", want)
			}
		}
	}
	search("First")
	l.write("a.md", "# Title\n\nSecond text.\n")
	search("Second")
}

func TestServeWithoutWatching(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir, "--no-watch")
	s.until("instructions/list", "{}", "First")
	l.write("a.md", "# Title\n\nNew.\n")
	time.Sleep(200 * time.Millisecond)
	s.until("instructions/get", `{"id":"a"}`, "First")
	s.end()
}

// A server that watches its files does not change them.
func TestServeChangesNothing(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	s.until("instructions/list", "{}", "First")
	l.write("a.md", "")
	s.until("health/check", `{"detail":true}`, `"errors":1`)
	l.write("deep/d.md", "# Title\n\nNew.\n")
	s.until("instructions/list", "{}", "New.")
	before := l.fingerprints()
	for _, method := range []string{"instructions/list", "integrity/verify", "gates/evaluate", "usage/hotset"} {
		s.call(method, "{}")
	}
	s.call("usage/track", `{"id":"b"}`)
	s.call("instructions/search", `{"q":"text","mode":"ranked"}`)
	s.end()
	if after := l.fingerprints(); !slices.Equal(after, before) {
		t.Errorf("got %q, want %q", after, before)
	}
}

// fingerprints returns the names of all files and folders with their content and
// modification times.
func (l live) fingerprints() (all []string) {
	l.must(filepath.WalkDir(l.dir, func(path string, entry fs.DirEntry, err error) error {
		l.must(err)
		info, err := entry.Info()
		l.must(err)
		var sum [sha256.Size]byte
		if !entry.IsDir() {
			data, err := os.ReadFile(path)
			l.must(err)
			sum = sha256.Sum256(data)
		}
		all = append(all, path+" "+info.Mode().String()+" "+info.ModTime().String()+" "+hex.EncodeToString(sum[:]))
		return nil
	}))
	return all
}
