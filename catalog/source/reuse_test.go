package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

// following loads the same folder or bundle after each change.
type following struct {
	t      *testing.T
	path   string
	source *Source
}

func follow(t *testing.T, path string) following { return following{t, path, New(path)} }

func (f following) load() *catalog.Snapshot {
	f.t.Helper()
	s, err := f.source.Load(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// write writes a file of the folder. The name "" means the bundle itself.
func (f following) write(name, content string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.path, name), []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// waitUntilTrusted waits until the files are old enough that an unchanged one is not
// read again.
func waitUntilTrusted() { time.Sleep(100 * time.Millisecond) }

func get(t *testing.T, s *catalog.Snapshot, id string) *catalog.Entry {
	t.Helper()
	e, ok := s.Get(id)
	if !ok {
		t.Fatalf("there is no %s: %s", id, summary(s))
	}
	return e
}

// An unchanged file is not opened, and its entry is reused.
func TestUnchangedFilesAreNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "# A\n\na\n", "b.md": "# B\n\nb\n"})
	f := follow(t, dir)
	waitUntilTrusted()
	first := f.load()
	if again := f.load(); again != first {
		t.Error("nothing has changed, and there is another snapshot")
	}
	other := t.TempDir()
	writeFiles(t, other, map[string]string{"planted.md": "# P\n\np\n"})
	kept := f.source.folder.last.results["b.md"]
	kept.Entry = get(t, load(t, other), "planted") // reading b.md again would yield b
	f.source.folder.last.results["b.md"] = kept
	f.write("a.md", "# A\n\nother\n")
	second := f.load()
	if get(t, second, "a") == get(t, first, "a") || get(t, second, "planted") != kept.Entry {
		t.Errorf("b.md was read again: %s", summary(second))
	}
}

// A file that changed very recently is read again. If its content is the same, the
// snapshot does not change.
func TestRecentFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "# A\n\na\n"})
	f := follow(t, dir)
	first := f.load()
	info, err := os.Stat(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		f.write("a.md", fmt.Sprintf("# A\n\n%d\n", i%10)) // the same size
		if err := os.Chtimes(filepath.Join(dir, "a.md"), info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		if got, want := get(t, f.load(), "a").Body.Text(), fmt.Sprintf("%d\n", i%10); !strings.HasSuffix(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	last := f.load()
	if again := f.load(); again != last || last == first {
		t.Error("nothing has changed, and there is another snapshot")
	}
}

func TestBrokenFileStaysEntry(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "# A\n\na\n", "b.json": minimal("b")})
	f := follow(t, dir)
	first := f.load()
	const empty, served = "the file is empty: write ", " (the entry is served as it was before)"
	f.write("a.md", "")
	f.write("b.json", minimal("b")[:20])
	for range 2 {
		s := f.load()
		if get(t, s, "a") != get(t, first, "a") || get(t, s, "b") != get(t, first, "b") || len(s.Diagnostics()) != 2 {
			t.Fatal(summary(s))
		}
		if m := s.Diagnostics()[0].Message; !strings.HasPrefix(m, empty) || !strings.HasSuffix(m, served) || strings.Count(m, served) != 1 {
			t.Errorf("got %q", m)
		}
		waitUntilTrusted()
	}
	f.write("a.md", "# A\n\nagain\n")
	if err := os.Remove(filepath.Join(dir, "b.json")); err != nil {
		t.Fatal(err)
	}
	expect(t, f.load(), "a a.md")
}

// Entries in a folder that is temporarily unreadable are kept.
func TestUnreadableFolderKeepsEntries(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs a folder that cannot be read")
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"sub/deep/a.md": "# A\n\na\n", "b.md": "# B\n\nb\n"})
	f := follow(t, dir)
	first := f.load()
	sub := filepath.Join(dir, "sub")
	if err := os.Chmod(sub, 0); err != nil {
		t.Fatal(err)
	}
	second := f.load()
	if err := os.Chmod(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if len(second.Entries()) != 2 || second.Entries()[0] != first.Entries()[0] || len(second.Diagnostics()) != 1 {
		t.Error(summary(second))
	}
	if third := f.load(); len(third.Entries()) != 2 || len(third.Diagnostics()) != 0 {
		t.Error(summary(third))
	}
}

// A file that is removed between the walk and the read is treated as missing.
func TestVanishedFileIsNoError(t *testing.T) {
	t.Parallel()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if r := readAndInterpret(newFileReader(root, nil), candidate{dirEntry: &dirEntry{path: "gone.md"}}); r.Entry != nil || r.Diagnostics != nil {
		t.Errorf("got %v, %v", r.Entry, r.Diagnostics)
	}
	w := walker{root: root}
	if err := w.walk(t.Context(), folderListing{path: "gone"}); err != nil || w.diagnostics != nil || w.folders != nil {
		t.Errorf("got %v, %v, %v", err, w.diagnostics, w.folders)
	}
}

// states returns the files and folders by path, with the data that shows whether a file
// has changed.
func states(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(dir, p)
		if all[filepath.ToSlash(name)] = "folder"; err == nil && !d.IsDir() {
			all[filepath.ToSlash(name)] = fmt.Sprint(info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// difference returns the paths that have changed. It never returns nil.
func difference(before, after map[string]string) []string {
	paths := []string{}
	for p := range before {
		if before[p] != after[p] {
			paths = append(paths, p)
		}
	}
	for p := range after {
		if _, there := before[p]; !there {
			paths = append(paths, p)
		}
	}
	return paths
}

// After any change, a later load gives the same result as a first one.
func TestFollowingGivesWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a", "sub/b.md": "b", "c.json": minimal("c"), "d.txt": "d"})
	f, byPath := follow(t, dir), New(dir)
	if _, err := byPath.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, change := range []func(){
		func() {},
		func() { f.write("e.md", "e") },
		func() { must(os.Rename(at("sub"), at("sub2"))) },
		func() { f.write("c2.json", minimal("c")) },
		func() { must(os.Remove(at("c.json"))) },
		func() { must(os.Rename(at("c2.json"), at("a.md"))) },
		func() { f.write(".gitignore", "sub2\n") },
		func() { must(os.Remove(at(".gitignore"))) },
		func() { must(os.Mkdir(at(".cursor"), 0o755)) },
		func() { f.write("AGENTS.md", "Read @e.md.") },
		func() { f.write(".cursor/rules.md", "r"); f.write(".cursorrules", "x") },
		func() { f.write("gates.json", `{"gates":[]}`) },
		func() { must(os.RemoveAll(at("sub2"))) },
		func() { must(os.Symlink("e.md", at("link.md"))) },
		func() { f.write("e.md", "changed, for the link, too") },
	} {
		before := states(t, dir)
		change()
		got, want := f.load(), load(t, dir)
		told, err := byPath.LoadChanged(t.Context(), difference(before, states(t, dir)))
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*catalog.Snapshot{got, told} {
			if summary(got) != summary(want) || !slices.EqualFunc(got.Entries(), want.Entries(), (*catalog.Entry).Same) {
				t.Errorf("followed:\n%s\nloaded:\n%s", summary(got), summary(want))
			}
		}
		waitUntilTrusted()
	}
}

// stamped returns a line that does not depend on the modification time of the file.
func stamped(id string) string {
	const times = `"createdAt":"2025-01-02T03:04:05.000Z","updatedAt":"2025-01-02T03:04:05.000Z"`
	return `{"id":"` + id + `","title":"T","body":"B","priority":50,"audience":"all","requirement":"optional","categories":[],"schemaVersion":"1",` + times + `}`
}

func TestBundleIsFollowed(t *testing.T) {
	t.Parallel()
	f := follow(t, writeBundle(t, "b.jsonl", stamped("a")+"\n"+stamped("b")+"\n"))
	lines := func(all ...string) { t.Helper(); f.write("", strings.Join(all, "\n")+"\n") }
	first := f.load()
	check := func(want ...string) *catalog.Snapshot {
		t.Helper()
		s := f.load()
		var got []string
		for _, e := range s.Entries() {
			got = append(got, string(e.ID))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("got %q, want %q", got, want)
		}
		return s
	}

	lines(stamped("a"), stamped("b"), stamped("c"))
	second := check("a", "b", "c")
	if get(t, second, "a") != get(t, first, "a") {
		t.Error("a line that did not change is another entry")
	}
	lines(stamped("x"), stamped("a"), stamped("b"), stamped("c"))
	third := check("a", "b", "c", "x")
	if e := get(t, third, "a"); e.Origin.Line != 2 || get(t, second, "a").Origin.Line != 1 {
		t.Errorf("a is on line %d, and was on %d", e.Origin.Line, get(t, second, "a").Origin.Line)
	}
	waitUntilTrusted()
	if fourth := f.load(); fourth != third {
		t.Error("nothing has changed, and there is another snapshot")
	}

	lines(stamped("x"), stamped("a")[:30], stamped("b"), stamped("c"))
	broken := check("a", "b", "c", "x")
	if d := broken.Diagnostics(); len(d) != 1 || d[0].Line != 2 || !strings.HasSuffix(d[0].Message, "served as it was before)") {
		t.Errorf("got %v", d)
	}
	lines(stamped("a"), stamped("a")[:30], stamped("b"))
	check("a", "b")
	lines(stamped("b"))
	check("b")
	lines(stamped("b")[:30])
	check("b")
}

// A partially written bundle is not served.
func TestHalfWrittenBundle(t *testing.T) {
	t.Parallel()
	whole := stamped("a") + "\n" + stamped("b") + "\n"
	path := writeBundle(t, "b.jsonl", whole)
	f := follow(t, path)
	first := f.load()
	for _, half := range []string{"", "\n\n", whole[:len(whole)-5], whole + stamped("c")[:50]} {
		f.write("", half)
		if s, err := f.source.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "bundle") {
			t.Errorf("%q: got %v, %v", half, s, err)
		}
	}
	f.write("", whole)
	if s := f.load(); s != first {
		t.Errorf("it is as it was: %s", summary(s))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.source.Load(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	f.write("", stamped("c")) // complete, although it does not end in a newline
	if s := f.load(); len(s.Entries()) != 1 {
		t.Error(summary(s))
	}
}

// The modification time of the file is used for times that a line does not have, even if
// the line itself has not changed.
func TestBundleTimeOfFile(t *testing.T) {
	t.Parallel()
	f := follow(t, writeBundle(t, "b.jsonl", `{"id":"a","title":"A","body":"a"}`+"\n"))
	first := get(t, f.load(), "a").UpdatedAt
	if err := os.Chtimes(f.path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if second := get(t, f.load(), "a").UpdatedAt; second == first {
		t.Errorf("still %s", second)
	}
}
