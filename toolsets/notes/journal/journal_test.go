package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// replaceWords is a Rewrite that takes a text for words.
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

func begin(t *testing.T, dir string) *Session {
	t.Helper()
	s, err := Begin(t.Context(), dir, replaceWords)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// folder makes a folder of files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holds compares the folder, without what is hidden, with what it should hold.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == Hidden:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		got[name] = string(text)
		return err
	}))
	if !maps.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	if Interrupted(dir) {
		t.Error("a plan is left")
	}
	if left, _ := os.ReadDir(filepath.Join(dir, staging)); len(left) > 0 {
		t.Errorf("%d staged files are left", len(left))
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"there.md": "old", "folder.md/x": "x"})
	s := begin(t, dir)
	must(t, s.Create("a/b/new.md", []byte("new")))
	must(t, s.Create("top.md", []byte("top")))
	for _, name := range []string{"there.md", "folder.md", "top.md"} {
		if err := s.Create(name, []byte("other")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := s.Create("../out.md", nil); err == nil {
		t.Error("a file outside was created")
	}
	if err := s.Create("there.md/x.md", nil); err == nil {
		t.Error("a file was created below a file")
	}
	holds(t, dir, map[string]string{"there.md": "old", "folder.md/x": "x", "a/b/new.md": "new", "top.md": "top"})
}

func TestEditKeepsTheModeAndSeesWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"a.md": "one"})
	must(t, os.Chmod(filepath.Join(dir, "a.md"), 0o666))
	s := begin(t, dir)
	asked := 0
	must(t, s.Edit("a.md", func(text []byte) ([]byte, error) {
		if asked++; asked == 1 {
			write(t, dir, "a.md", "one, and by somebody else")
		}
		return append(bytes.Clone(text), " two"...), nil
	}))
	holds(t, dir, map[string]string{"a.md": "one, and by somebody else two"})
	info, err := os.Stat(filepath.Join(dir, "a.md"))
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o666 {
		t.Errorf("the mode is %v", info.Mode())
	}
	must(t, s.Edit("a.md", func(text []byte) ([]byte, error) { return text, nil }))
	if after, err := os.Stat(filepath.Join(dir, "a.md")); err != nil || !os.SameFile(after, info) {
		t.Error("what did not change was written", err)
	}
	if err := s.Edit("missing.md", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"x/a.md": "1"})
	s := begin(t, dir)
	must(t, s.Delete("x/a.md"))
	write(t, dir, "x/a.md", "2")
	must(t, s.Delete("x/a.md"))
	holds(t, dir, map[string]string{".trash/x/a.md": "1", ".trash/x/a 2.md": "2"})
	if err := s.Delete("x/a.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

var before = map[string]string{"d/old.md": "I am old", "a.md": "to old and x", "b/b.md": "old old", "c.md": "none"}

// rename is a change of that folder.
func rename() Change {
	do := json.RawMessage(`{"old": "new"}`)
	return Change{From: "d/old.md", To: "d/new.md", Edits: []Edit{
		{Name: "a.md", Do: do}, {Name: "d/old.md", Do: do}, {Name: "b/b.md", Do: do},
	}}
}

var after = map[string]string{"d/new.md": "I am new", "a.md": "to new and x", "b/b.md": "new new", "c.md": "none"}

func TestApply(t *testing.T) {
	t.Parallel()
	dir := folder(t, before)
	must(t, begin(t, dir).Apply(rename()))
	holds(t, dir, after)
}

func TestNothingIsChangedByHalf(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(dir string){
		"the name is taken":  func(dir string) { write(t, dir, "d/new.md", "mine") },
		"an edit is refused": func(dir string) { write(t, dir, "b/b.md", "refused") },
		"a file is a folder": func(dir string) { must(t, errors.Join(os.Remove(dir+"/b/b.md"), os.Mkdir(dir+"/b/b.md", 0o755))) },
		"a file is gone":     func(dir string) { must(t, os.Remove(dir+"/a.md")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, before)
			spoil(dir)
			was := os.DirFS(dir)
			want := map[string]string{}
			for _, name := range []string{"d/old.md", "a.md", "b/b.md", "c.md", "d/new.md"} {
				if text, err := fs.ReadFile(was, name); err == nil {
					want[name] = string(text)
				}
			}
			if err := begin(t, dir).Apply(rename()); err == nil {
				t.Error("it was done")
			}
			holds(t, dir, want)
		})
	}
}

// A folder that cannot be written to shows only when half is done.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"follow", "everything"} {
		dir := folder(t, before)
		s := begin(t, dir)
		c := rename()
		must(t, s.prepare(&c))
		if stage == "everything" {
			must(t, s.follow(&c))
		} else {
			must(t, s.move(&c.Edits[1], c.To))
			must(t, s.replace(&c.Edits[0]))
		}
		must(t, s.takeBack(&c))
		must(t, s.forget())
		must(t, s.root.RemoveAll(staging))
		holds(t, dir, before)
	}
}

// A process may die after every step. Whoever comes next completes the change,
// also when somebody has written to a file in between.
func TestCompleted(t *testing.T) {
	t.Parallel()
	steps := func(s *Session, c *Change) []func() error {
		return []func() error{
			func() error { return s.root.Link(c.Edits[1].Staged, c.To) },
			func() error { return s.root.Remove(c.Edits[1].Staged) },
			func() error { return s.root.Remove(c.From) },
			func() error { return s.replace(&c.Edits[0]) },
			func() error { return s.replace(&c.Edits[2]) },
		}
	}
	for done := range 6 {
		for _, edited := range []string{"", "d/old.md", "a.md", "b/b.md"} {
			t.Run(fmt.Sprintf("%d %s", done, edited), func(t *testing.T) {
				dir := folder(t, before)
				s, err := Begin(t.Context(), dir, replaceWords)
				must(t, err)
				c := rename()
				must(t, s.prepare(&c))
				for _, step := range steps(s, &c)[:done] {
					must(t, step())
				}
				must(t, s.Close())
				want := maps.Clone(after)
				if text, err := os.ReadFile(filepath.Join(dir, edited)); err == nil && edited != "" {
					write(t, dir, edited, string(text)+" and by hand")
					name := strings.Replace(edited, "old", "new", 1)
					want[name] += " and by hand"
				}
				if !Interrupted(dir) {
					t.Error("nothing tells of it")
				}
				must(t, begin(t, dir).Close())
				holds(t, dir, want)
			})
		}
	}
}

func TestStagedFilesOfADeadProcessAreRemoved(t *testing.T) {
	t.Parallel()
	dir := folder(t, before)
	write(t, dir, staging+"/1", "x")
	must(t, begin(t, dir).Close())
	holds(t, dir, before)
}

func TestOneAfterTheOther(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"a.md": ""})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			s := begin(t, dir)
			text, err := os.ReadFile(filepath.Join(dir, "a.md"))
			must(t, err)
			must(t, s.Edit("a.md", func([]byte) ([]byte, error) { return append(text, 'x'), nil }))
			must(t, s.Close())
		})
	}
	group.Wait()
	holds(t, dir, map[string]string{"a.md": strings.Repeat("x", 20)})
}

func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := begin(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := Begin(ctx, dir, replaceWords); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	must(t, first.Close())
	must(t, begin(t, dir).Close())
}

func TestLinksLeadNowhere(t *testing.T) {
	t.Parallel()
	outside := folder(t, map[string]string{"secret.md": "secret"})
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "linked")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "link.md")))
	s := begin(t, dir)
	if err := s.Create("linked/new.md", nil); err == nil {
		t.Error("created through a link")
	}
	if err := s.Edit("link.md", func([]byte) ([]byte, error) { return []byte("changed"), nil }); err == nil {
		t.Error("edited through a link")
	}
	holds(t, outside, map[string]string{"secret.md": "secret"})

	hidden := t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(hidden, Hidden)))
	if _, err := Begin(t.Context(), hidden, replaceWords); err == nil {
		t.Error("the lock was taken through a link")
	}
	holds(t, outside, map[string]string{"secret.md": "secret"})
}
