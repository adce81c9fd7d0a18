package vault_test

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/vault"
)

// folder is a vault on disk.
type folder struct {
	*vault.Vault
	dir string
	log *strings.Builder
}

func newFolder(t testing.TB, files map[string]string) *folder {
	t.Helper()
	f := &folder{dir: filepath.Join(t.TempDir(), "vault"), log: &strings.Builder{}}
	if err := os.Mkdir(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		f.write(t, name, text)
	}
	f.Vault = vault.New(f.dir, slog.New(slog.NewTextHandler(f.log, nil)))
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// look returns the notes, each as "id: content".
func (f *folder) look(t testing.TB) []string {
	t.Helper()
	s, err := f.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return contents(s)
}

// unread returns the files and folders that the last scan could not read.
func (f *folder) unread(t testing.TB) []notes.Unread {
	t.Helper()
	s, err := f.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s.Unread()
}

func contents(s *notes.Snapshot) (all []string) {
	for _, n := range s.Notes() {
		all = append(all, fmt.Sprintf("%s: %s", n.ID, n.Content()))
	}
	return all
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

func TestWhatIsANote(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{
		"b.md": "b", "a/B.MD": "upper", "a/deep/er/c.md": "c", "picture.png": "x", "md": "x", "x.md.bak": "x",
		".hidden.md": "x", ".obsidian/y.md": "x", ".trash/z.md": "x", ".md": "x", "a b/ü.md": "ü", "node_modules/x.md": "it counts",
	})
	same(t, f.look(t), "a b/ü.md: ü", "a/B.MD: upper", "a/deep/er/c.md: c", "b.md: b", "node_modules/x.md: it counts")
}

func TestLinksOnTheDisk(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"real/a.md": "a", ".env": "KEY=x", ".git/config": "[core]", ".hidden/s.md": "s", "key.txt": "KEY=x"})
	outside := filepath.Join(filepath.Dir(f.dir), "outside")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "secret.md"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"out.md": filepath.Join(outside, "secret.md"), "up.md": "../outside/secret.md", "folder": outside, "again": "real",
		"folder.md": "real", "loop": ".", "gone.md": "nowhere.md", "same.md": "real/a.md", "self.md": "self.md",
		"env.md": ".env", "config.md": "real/../.git/config", "hidden.md": ".hidden/s.md", "text.md": "key.txt", "chain.md": "env.md",
	} {
		if err := os.Symlink(to, f.path(name)); err != nil {
			t.Skip(err) // the system has no symbolic links
		}
	}
	same(t, f.look(t), "real/a.md: a", "same.md: a")
	named := map[string]bool{}
	for _, u := range f.unread(t) {
		named[u.Path] = strings.Contains(u.Reason, "leads to no note")
	}
	for _, name := range []string{"env.md", "config.md", "hidden.md", "text.md", "chain.md"} {
		if !named[name] {
			t.Errorf("%s is not named", name)
		}
	}
	for _, u := range f.unread(t) {
		if strings.Contains(u.Reason, outside) || strings.Contains(u.Reason, f.dir) {
			t.Errorf("%s: %q names a path of the machine", u.Path, u.Reason)
		}
	}
}

// TestEdits checks that changes are noticed even if size and time are the same.
func TestEdits(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "one", "b/b.md": "two"})
	same(t, f.look(t), "a.md: one", "b/b.md: two")
	info, err := os.Stat(f.path("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	f.write(t, "a.md", "eno")
	if err := os.Chtimes(f.path("a.md"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	f.write(t, "c.md", "three")
	same(t, f.look(t), "a.md: eno", "b/b.md: two", "c.md: three")
	if err := os.Rename(f.path("b/b.md"), f.path("d.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.path("c.md")); err != nil {
		t.Fatal(err)
	}
	same(t, f.look(t), "a.md: eno", "d.md: two")
}

func TestUnchangedNotesStay(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "to [[b]]", "b.md": "b"})
	first, err := f.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f.write(t, "b.md", "b") // the same bytes again
	second, err := f.Look(context.Background())
	if err != nil || first != second {
		t.Errorf("another snapshot where nothing changed: %v", err)
	}
	f.write(t, "b.md", "c")
	third, err := f.Look(context.Background())
	if err != nil || third == first || third.Notes()[0] != first.Notes()[0] || third.Notes()[1] == first.Notes()[1] {
		t.Errorf("a note that did not change is another one, or one that did is not: %v", err)
	}
}

// TestFreshness checks that a call sees an external edit after a second, with and
// without a watcher, and after the folder was removed and restored.
func TestFreshness(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "0"})
	expect := func(want string) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			got := "gone"
			if s, err := f.Snapshot(context.Background()); err == nil {
				got = strings.Join(contents(s), "\n")
			}
			if got == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	}
	for i := range 5 {
		text := fmt.Sprint(i)
		f.write(t, "a.md", text)
		expect("a.md: " + text)
		time.Sleep(time.Duration(i) * 50 * time.Millisecond)
	}
	away := f.dir + "-away"
	if err := os.Rename(f.dir, away); err != nil {
		t.Fatal(err)
	}
	expect("gone")
	if err := os.Rename(away, f.dir); err != nil {
		t.Fatal(err)
	}
	expect("a.md: 4")
	f.write(t, "sub/b.md", "b")
	expect("a.md: 4\nsub/b.md: b")
	f.write(t, "sub/b.md", "c")
	expect("a.md: 4\nsub/b.md: c")
}

func TestExpire(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "a"})
	for i := range 20 {
		if _, err := f.Snapshot(context.Background()); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(i)
		f.write(t, "a.md", text)
		f.Expire()
		s, err := f.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		same(t, contents(s), "a.md: "+text)
	}
}

// sayer is a log handler that calls a function for each record.
type sayer func()

func (s sayer) Write(p []byte) (int, error) {
	s()
	return len(p), nil
}

// TestExpireDuringALook checks that a change during a scan that has already read the
// file is seen by the next scan.
func TestExpireDuringALook(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "a", "large.md": ""})
	if err := os.Truncate(f.path("large.md"), 1<<30); err != nil { // logged when everything else is read
		t.Fatal(err)
	}
	var v *vault.Vault
	told := 0
	v = vault.New(f.dir, slog.New(slog.NewTextHandler(sayer(func() {
		if told++; told == 1 {
			f.write(t, "a.md", "b")
			v.Expire()
		}
	}), nil)))
	defer v.Close()
	for _, want := range []string{"a.md: a", "a.md: b"} {
		s, err := v.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		same(t, contents(s), want)
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}

func TestUnread(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "a", "closed.md": "x", "shut/b.md": "b"})
	for name, mode := range map[string]fs.FileMode{"closed.md": 0, "shut": 0} {
		if err := os.Chmod(f.path(name), mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(f.path(name), 0o700)
	}
	if _, err := os.ReadDir(f.path("shut")); err == nil {
		t.Skip("nothing is closed to this user")
	}
	same(t, f.look(t), "a.md: a")
	same(t, f.look(t), "a.md: a")
	var unread []string
	for _, u := range f.unread(t) {
		unread = append(unread, u.Path+": "+u.Reason)
	}
	same(t, unread, "closed.md: permission denied", "shut: permission denied")
	if n := strings.Count(f.log.String(), "cannot be read"); n != 2 {
		t.Errorf("the log tells of it %d times, want twice:\n%s", n, f.log)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	f := newFolder(t, map[string]string{"a.md": "a"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Look(ctx); err == nil {
		t.Error("a look goes on that nobody waits for")
	}
	same(t, f.look(t), "a.md: a")
}
