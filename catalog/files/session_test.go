package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// replaceWords is a Rewrite that replaces words.
func replaceWords(text []byte, do json.RawMessage) ([]byte, error) {
	var other map[string]string
	if err := json.Unmarshal(do, &other); err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("refused")) {
		return nil, errors.New("refused")
	}
	words := strings.Split(string(text), " ")
	for i, word := range words {
		if other, ok := other[word]; ok {
			words[i] = other
		}
	}
	return []byte(strings.Join(words, " ")), nil
}

// systems are the kinds of systems to test: with an atomic swap of two files, without
// it, and with the state folder on another disk.
var systems = map[string]system{
	"exchange": thisSystem,
	"rename":   {unsupportedRename, unsupportedRename, (*os.File).Sync},
	"another disk": {
		withinRoot(renameExchange), withinRoot(renameNew), (*os.File).Sync,
	},
}

func unsupportedRename(_, _ place) error { return errors.ErrUnsupported }

func withinRoot(rename func(a, b place) error) func(a, b place) error {
	return func(a, b place) error {
		if a.root != b.root {
			return errElsewhere
		}
		return rename(a, b)
	}
}

// onAllSystems runs a test on each of the systems.
func onAllSystems(t *testing.T, test func(t *testing.T, on *system)) {
	t.Parallel()
	for name, on := range systems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, &on)
		})
	}
}

// newFolder creates a folder with files.
func newFolder(t testing.TB, on *system, files map[string]string) *Folder {
	t.Helper()
	dir := t.TempDir()
	f := &Folder{
		Path: dir, State: t.TempDir(), Trash: ".trash", Rewrite: replaceWords, Log: slog.New(slog.DiscardHandler), system: on,
		Owns: func(name string) bool { return strings.HasSuffix(name, ".md") },
	}
	for name, text := range files {
		f.write(t, name, text)
	}
	return f
}

func (f *Folder) write(t testing.TB, name, text string) {
	t.Helper()
	name = filepath.Join(f.Path, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

func (f *Folder) begin(t testing.TB) *Session {
	t.Helper()
	s, err := f.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// contents returns the contents of all files of a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(text)
		return err
	}))
	return all
}

// holds checks that the folder has the wanted contents, and that no change is pending.
func (f *Folder) holds(t testing.TB, want map[string]string) {
	t.Helper()
	if got := contents(t, f.Path); !maps.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	if f.Interrupted() {
		t.Errorf("in the state folder there is %q", contents(t, f.State))
	}
}

func TestCreate(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, map[string]string{"there.md": "old", "folder.md/x.md": "x"})
		s := f.begin(t)
		must(t, s.Create("a/b/new.md", []byte("new")))
		must(t, s.Create("top.md", []byte("top")))
		for _, name := range []string{"there.md", "folder.md", "top.md"} {
			if err := s.Create(name, []byte("other")); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		for _, name := range []string{"../out.md", "there.md/x.md", "/out.md", "a/../b.md", "a\x00.md", "no note", ""} {
			if err := s.Create(name, nil); err == nil {
				t.Errorf("%q was created", name)
			}
		}
		f.holds(t, map[string]string{"there.md": "old", "folder.md/x.md": "x", "a/b/new.md": "new", "top.md": "top"})
	})
}

func TestEditKeepsTheModeAndSeesWhatIsWrittenMeanwhile(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, map[string]string{"a.md": "one"})
		name := filepath.Join(f.Path, "a.md")
		must(t, os.Chmod(name, 0o666))
		s := f.begin(t)
		calls := 0
		must(t, s.Edit("a.md", func(text []byte) ([]byte, error) {
			if calls++; calls == 1 {
				f.write(t, "a.md", "one, and by another program")
			}
			return append(bytes.Clone(text), " two"...), nil
		}))
		f.holds(t, map[string]string{"a.md": "one, and by another program two"})
		info, err := os.Stat(name)
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o666 {
			t.Errorf("the mode is %v", info.Mode())
		}
		must(t, s.Edit("a.md", func(text []byte) ([]byte, error) { return text, nil }))
		if after, err := os.Stat(name); err != nil || !os.SameFile(after, info) {
			t.Error("what did not change was written", err)
		}
		if err := s.Edit("missing.md", nil); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	})
}

func TestDelete(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, map[string]string{"x/a.md": "1"})
		s := f.begin(t)
		stale := errors.New("stale")
		if err := s.Delete("x/a.md", func(text []byte) error { return stale }); !errors.Is(err, stale) {
			t.Errorf("got %v", err)
		}
		f.holds(t, map[string]string{"x/a.md": "1"})
		isText := func(want string) func([]byte) error {
			return func(text []byte) error {
				if string(text) != want {
					return fmt.Errorf("it was %q", text)
				}
				return nil
			}
		}
		must(t, s.Delete("x/a.md", isText("1")))
		f.write(t, "x/a.md", "2")
		must(t, s.Delete("x/a.md", isText("2")))
		kept, err := s.Keep("x/a.md", []byte("3"))
		must(t, err)
		f.holds(t, map[string]string{".trash/x/a.md": "1", ".trash/x/a 2.md": "2", kept: "3"})
		if err := s.Delete("x/a.md", nil); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	})
}

var before = map[string]string{"d/old.md": "I am old", "a.md": "to old and x", "b/b.md": "old old", "c.md": "none"}

// renaming returns a change of the folder with the contents before.
func renaming() Change {
	do := json.RawMessage(`{"old": "new"}`)
	return Change{Edits: []Edit{{Name: "a.md", Do: do}, {Name: "d/old.md", To: "d/new.md", Do: do}, {Name: "b/b.md", Do: do}}}
}

var after = map[string]string{"d/new.md": "I am new", "a.md": "to new and x", "b/b.md": "new new", "c.md": "none"}

func TestApply(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, before)
		must(t, f.begin(t).Apply(t.Context(), renaming()))
		f.holds(t, after)
	})
}

// A change with a cancelled context does not begin, and leaves no files.
func TestApplyStops(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, before)
		ctx, cancel := context.WithCancel(t.Context())
		s := f.begin(t)
		edits := renaming()
		rewrite := f.Rewrite
		f.Rewrite = func(text []byte, do json.RawMessage) ([]byte, error) {
			cancel()
			return rewrite(text, do)
		}
		for range 200 { // more than are staged concurrently
			edits.Edits = append(edits.Edits, Edit{Name: "c.md", Do: edits.Edits[0].Do})
		}
		if err := s.Apply(ctx, edits); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		f.holds(t, before)
	})
}

func TestNothingIsChangedByHalf(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		for name, spoil := range map[string]func(f *Folder){
			"the name is taken":  func(f *Folder) { f.write(t, "d/new.md", "mine") },
			"an edit is refused": func(f *Folder) { f.write(t, "b/b.md", "refused") },
			"a file is a folder": func(f *Folder) {
				must(t, errors.Join(os.Remove(f.Path+"/b/b.md"), os.Mkdir(f.Path+"/b/b.md", 0o755)))
			},
			"a file is gone": func(f *Folder) { must(t, os.Remove(f.Path+"/a.md")) },
		} {
			t.Run(name, func(t *testing.T) {
				f := newFolder(t, on, before)
				spoil(f)
				want := contents(t, f.Path)
				if err := f.begin(t).Apply(t.Context(), renaming()); err == nil {
					t.Error("it was done")
				}
				f.holds(t, want)
			})
		}
	})
}

// interrupted begins a change, makes its first steps, and stops like a process that is
// killed.
func (f *Folder) interrupted(t *testing.T, steps int) *plan {
	t.Helper()
	s := f.begin(t)
	p := s.newPlan()
	p.Complete = true
	var made []*step
	for _, e := range renaming().Edits {
		made = append(made, s.stepOf(e))
	}
	id := p.ID
	p = s.newPlan(made...)
	p.ID, p.Complete = id, true
	must(t, s.prepare(t.Context(), p))
	for _, do := range []func() error{
		func() error { return s.move(p.Steps[1]) },
		func() error { return s.place(p, p.Steps[0]) },
		func() error { return s.place(p, p.Steps[1]) },
		func() error { return s.settle(p, p.Steps[0]) },
		func() error { return s.place(p, p.Steps[2]) },
		func() error { return s.settle(p, p.Steps[1]) },
		func() error { return s.settle(p, p.Steps[2]) },
	}[:steps] {
		must(t, do())
	}
	must(t, s.Close())
	return p
}

const allSteps = 7

// A process may die after any step. The next one completes the change, even if another
// program has written to a file in between.
func TestCompleted(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		for steps := range allSteps + 1 {
			for _, edited := range []string{"", "d/old.md", "d/new.md", "a.md", "b/b.md"} {
				f := newFolder(t, on, before)
				f.interrupted(t, steps)
				want := maps.Clone(after)
				if text, err := os.ReadFile(filepath.Join(f.Path, edited)); err == nil && edited != "" {
					f.write(t, edited, string(text)+" and by hand")
					want[strings.Replace(edited, "old", "new", 1)] += " and by hand"
				}
				if !f.Interrupted() {
					t.Error("nothing tells of it")
				}
				must(t, f.begin(t).Close())
				f.holds(t, want)
				if t.Failed() {
					t.Fatalf("after %d steps, %q was edited", steps, edited)
				}
			}
		}
	})
}

// If a step fails, the steps before it are rolled back.
func TestTakenBack(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		for steps := range 5 {
			f := newFolder(t, on, before)
			s := f.begin(t)
			var made []*step
			for _, e := range renaming().Edits {
				made = append(made, s.stepOf(e))
			}
			p := s.newPlan(made...)
			p.Complete = true
			must(t, s.prepare(t.Context(), p))
			for i, do := range []func() error{
				func() error { return s.move(p.Steps[1]) },
				func() error { return s.place(p, p.Steps[0]) },
				func() error { return s.place(p, p.Steps[1]) },
				func() error { return s.place(p, p.Steps[2]) },
			} {
				if i < steps {
					must(t, do())
				}
			}
			must(t, errors.Join(s.rollback(p), s.forget(p)))
			f.holds(t, before)
		}
	})
}

func TestStagedFilesOfADeadProcessAreRemoved(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, before)
		s := f.begin(t)
		p := s.newPlan(&step{Edit: Edit{Name: "d/made.md"}})
		must(t, s.save(p))
		must(t, s.stage(p.Steps[0], []byte("half a te"), nil, false))
		if on.renameExchange != nil && runtime.GOOS == "linux" {
			p.Steps[0].staged = s.stagedBeside(p, p.Steps[0])
			must(t, s.stage(p.Steps[0], []byte("half a te"), nil, false))
		}
		must(t, s.Close())
		must(t, f.begin(t).Close())
		f.holds(t, before)
	})
}

func TestOneAfterTheOther(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, map[string]string{"a.md": ""})
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				s := f.begin(t)
				text, err := s.Read("a.md")
				must(t, err)
				must(t, s.Edit("a.md", func([]byte) ([]byte, error) { return append(text, 'x'), nil }))
				must(t, s.Close())
			})
		}
		group.Wait()
		f.holds(t, map[string]string{"a.md": strings.Repeat("x", 20)})
	})
}

func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	f := newFolder(t, nil, nil)
	first := f.begin(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := f.Begin(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	must(t, first.Close())
	must(t, f.begin(t).Close())
}

func TestLinksLeadNowhere(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		outside := newFolder(t, on, map[string]string{"secret.md": "secret"})
		f := newFolder(t, on, map[string]string{"a.md": "x"})
		if err := os.Symlink(outside.Path, filepath.Join(f.Path, "linked")); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		must(t, os.Symlink(filepath.Join(outside.Path, "secret.md"), filepath.Join(f.Path, "link.md")))
		must(t, os.Symlink("linked", filepath.Join(f.Path, ".trash")))
		s := f.begin(t)
		changed := func([]byte) ([]byte, error) { return []byte("changed"), nil }
		for name, err := range map[string]error{
			"create":      s.Create("linked/new.md", nil),
			"edit":        s.Edit("link.md", changed),
			"edit within": s.Edit("linked/secret.md", changed),
			"trash":       s.Delete("a.md", func([]byte) error { return nil }),
		} {
			if err == nil {
				t.Errorf("%s: done through a link", name)
			}
		}
		outside.holds(t, map[string]string{"secret.md": "secret"})
	})
}

func TestRemove(t *testing.T) {
	onAllSystems(t, func(t *testing.T, on *system) {
		f := newFolder(t, on, map[string]string{"x/a.md": "1"})
		s := f.begin(t)
		stale := errors.New("stale")
		if err := s.Remove("x/a.md", func([]byte) error { return stale }); !errors.Is(err, stale) {
			t.Errorf("got %v", err)
		}
		f.holds(t, map[string]string{"x/a.md": "1"})
		must(t, s.Remove("x/a.md", func([]byte) error { return nil }))
		f.holds(t, map[string]string{})
		if err := s.Remove("x/a.md", nil); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	})
}
