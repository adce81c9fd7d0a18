package writing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/vault"
)

// newWriter returns a writer for a folder with the given files.
func newWriter(t testing.TB, all map[string]string) *Writer {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		put(t, dir, name, text)
	}
	return writerTo(dir)
}

func writerTo(dir string) *Writer {
	log := slog.New(slog.DiscardHandler)
	return &Writer{Folder: dir, State: dir + "-state", Vault: vault.New(dir, log), Log: log}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// contents returns the files of a folder except hidden ones.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			t.Errorf("%s is left", name)
		case d.Type().IsRegular():
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			found[name] = string(text)
			return err
		}
		return nil
	}))
	return found
}

// holds compares the folder with its expected content.
func holds(t testing.TB, w *Writer, want map[string]string) {
	t.Helper()
	got := contents(t, w.Folder)
	for name := range maps.Keys(want) {
		if got[name] != want[name] {
			t.Errorf("%s holds\n%q, want\n%q", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there, with %q", name, got[name])
		}
	}
}

func (w *Writer) note(t testing.TB, id notes.ID) *notes.Note {
	t.Helper()
	s, err := w.Vault.Look(t.Context())
	must(t, err)
	n, err := s.Find(string(id))
	if err != nil || n == nil || n.ID != id {
		t.Fatalf("%s: %v, %v", id, n, err)
	}
	return n
}

func retitle(t testing.TB, w *Writer, id, title string) notes.ID {
	t.Helper()
	changed, err := w.Update(t.Context(), Update{ID: id, Title: &title})
	if err != nil {
		t.Fatalf("%s becomes %q: %v", id, title, err)
	}
	if got := w.note(t, changed.ID).Title(); got != title {
		t.Errorf("%s has the title %q, want %q", changed.ID, got, title)
	}
	return changed.ID
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := newWriter(t, nil)
	made, err := w.Create(t.Context(), "meetings", "Meeting Notes 2024-01-15", "# Meeting Notes\n\nDiscussed…", []string{"meeting", "project-x", "meeting"})
	must(t, err)
	id := made.ID
	if id != "meetings/meeting-notes-2024-01-15.md" {
		t.Errorf("got %s", id)
	}
	holds(t, w, map[string]string{
		string(id): "---\ntitle: Meeting Notes 2024-01-15\ntags: [meeting, project-x]\n---\n# Meeting Notes\n\nDiscussed…",
	})
	for _, again := range []string{"Meeting notes 2024-01-15", "meeting-notes-2024-01-15!"} {
		if _, err := w.Create(t.Context(), "meetings", again, "other", nil); !errors.Is(err, ErrExists) {
			t.Errorf("%s: got %v", again, err)
		}
	}
	if _, err := w.Create(t.Context(), "Meetings", "Meeting notes 2024-01-15", "", nil); !errors.Is(err, ErrExists) {
		t.Errorf("in another case: got %v", err)
	}
}

// TestDirectories checks that a given folder is within the vault and may contain notes.
func TestDirectories(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"file.md": "x", "real/x.md": "x"})
	outside := t.TempDir()
	linked := os.Symlink(outside, filepath.Join(w.Folder, "out")) == nil && os.Symlink("real", filepath.Join(w.Folder, "in")) == nil
	before := contents(t, w.Folder)
	refused := []string{
		"/tmp", "..", "../x", "a/../../x", "a/../b", ".hidden", "a/.git", "a\x00b", "a\nb", `a\b`, "C:/x", "file.md", "file.md/x",
		strings.Repeat("x", 256), "a/\x7f", ".catalog", ".trash",
	}
	if linked {
		refused = append(refused, "out", "out/x", "in", "in/x")
	}
	for _, folder := range refused {
		_, err := w.Create(t.Context(), folder, "New", "", nil)
		if problem, ok := errors.AsType[*ParamError](err); !ok || problem.Param != "directory" {
			t.Errorf("%q: got %v", folder, err)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("outside there is %v", left)
	}
	holds(t, w, before)
	for folder, want := range map[string]notes.ID{
		"": "new.md", ".": "new.md", "a/b/": "a/b/new.md", "Größe x/y": "Größe x/y/new.md", "./q//r": "q/r/new.md",
	} {
		_ = os.Remove(filepath.Join(w.Folder, "new.md"))
		if made, err := w.Create(t.Context(), folder, "New", "", nil); made.ID != want || err != nil {
			t.Errorf("%q: got %s, %v", folder, made.ID, err)
		}
	}
}

var awkward = []string{
	"123", "1e3 x", "2024-01-15", "true", "No", "null", "a: b", "a #b", "- a", "--- x", "[a]", "{a}", "*a", "&a", "!a", "|a", ">a", "%a", "@a", "a, b",
	`"quoted"`, "it's", `back\slash`, "tab\there", "line\nbreak", "cr\rlf\r\n", "a\u0085b", "a\u2028b", "\ufeffa", "\x00a\x01\x7f",
	"😀 smile", "e\u0301", "日本語 ノート", "عربى", "a\u200db", "a\uffff", "[[link]]", "a\n---\nb", "C++ & C#", " a ", "x\n",
}

// TestReadsBack checks that any title, tag and content reads back unchanged, also after
// another change and a restart.
func TestReadsBack(t *testing.T) {
	t.Parallel()
	for _, text := range awkward {
		w := newWriter(t, nil)
		made, err := w.Create(t.Context(), "", text, text, []string{text, "b"})
		must(t, err)
		id := made.ID
		check := func(step string) {
			n := writerTo(w.Folder).note(t, id)
			if n.Title() != text || n.Content() != text || !slices.Equal(n.Parts.Tags, []string{text, "b"}) {
				t.Errorf("%s %q: got %q, %q, %q", step, text, n.Title(), n.Content(), n.Parts.Tags)
			}
		}
		check("created")
		retitle(t, w, string(id), text+" other")
		put(t, w.Folder, "plain.md", "# Plain\n")
		made, err = w.Update(t.Context(), Update{ID: "plain.md", Title: new(text + " x"), Content: &text, Tags: &[]string{text, "b"}})
		must(t, err)
		id = made.ID
		if got := writerTo(w.Folder).note(t, id); got.Title() != text+" x" || got.Content() != text {
			t.Errorf("updated %q: got %q, %q", text, got.Title(), got.Content())
		}
	}
	for _, content := range []string{"", "---\n", "---\na: b\n---\nc", "---\n---\n", "\ufeff---\nx\n---\n", "--- \r\n---\r\n", "\ufeff"} {
		for _, file := range []string{"", "old", "\ufeffold", "---\na: 1\n---\nold", "---\nbroken: [\n---\nold", "---\r\na: 1\r\n---\r\nold"} {
			w := newWriter(t, map[string]string{"a.md": file})
			_, err := w.Update(t.Context(), Update{ID: "a.md", Content: &content})
			must(t, err)
			if got := w.note(t, "a.md").Content(); got != content {
				t.Errorf("%q in %q: got %q", content, file, got)
			}
		}
	}
}

// TestUpdateInPlace checks that an update changes only what was requested.
func TestUpdateInPlace(t *testing.T) {
	t.Parallel()
	const note = "\ufeff---\r\n# mine\r\nid: 007\r\ntitle: \"Old\"   # why\r\ntags:\r\n  - 'a' # first\r\n  - b\r\nx: {y: 1}\r\n---\r\nBody [[x]]\r\n"
	for name, c := range map[string]struct {
		update Update
		want   string
	}{
		"title":              {Update{Title: new("Old!")}, strings.Replace(note, `"Old"`, `"Old!"`, 1)},
		"tags":               {Update{Tags: &[]string{"a", "c"}}, strings.Replace(note, "- b\r\n", "- c\r\n", 1)},
		"content":            {Update{Content: new("New\n")}, strings.Replace(note, "Body [[x]]\r\n", "New\n", 1)},
		"the same title":     {Update{Title: new("Old")}, note},
		"the same tags":      {Update{Tags: &[]string{"a", "b"}}, note},
		"the same content":   {Update{Content: new("Body [[x]]\r\n")}, note},
		"the same of it all": {Update{Title: new("Old"), Content: new("Body [[x]]\r\n"), Tags: &[]string{"a", "b", "a"}}, note},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriter(t, map[string]string{"old.md": note})
			c.update.ID = "OLD.md"
			must(t, os.Chmod(filepath.Join(w.Folder, "old.md"), 0o640))
			before, err := os.Stat(filepath.Join(w.Folder, "old.md"))
			must(t, err)
			changed, err := w.Update(t.Context(), c.update)
			if changed.ID != "old.md" || err != nil {
				t.Errorf("got %s, %v", changed.ID, err)
			}
			holds(t, w, map[string]string{"old.md": c.want})
			after, err := os.Stat(filepath.Join(w.Folder, "old.md"))
			must(t, err)
			if after.Mode() != before.Mode() {
				t.Errorf("the mode is %v", after.Mode())
			}
			if c.want == note && !os.SameFile(before, after) {
				t.Error("it was written")
			}
		})
	}
}

// TestContentAsItWasRead checks that invalid UTF-8 is kept if the content is given as it
// was read.
func TestContentAsItWasRead(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "---\nx: 1\n---\nbody \xff\n"}
	w := newWriter(t, files)
	_, err := w.Update(t.Context(), Update{ID: "a.md", Content: new("body \uFFFD\n")})
	must(t, err)
	holds(t, w, files)
}

// TestCutContentReplacesNothing checks that the cut beginning of a long note cannot
// replace it.
func TestCutContentReplacesNothing(t *testing.T) {
	t.Parallel()
	files := map[string]string{"long.md": strings.Repeat("é", 201), "short.md": strings.Repeat("é", 200), "ends.md": notes.Truncate(strings.Repeat("é", 400), 300)}
	w := newWriter(t, files)
	cut := "Edited. " + notes.Truncate(files["long.md"], 200)
	if _, err := w.Update(t.Context(), Update{ID: "long.md", Content: &cut}); err == nil || !strings.Contains(err.Error(), "content: it ends as one that was cut") {
		t.Errorf("got %v", err)
	}
	holds(t, w, files)
	if _, err := w.Update(t.Context(), Update{ID: "short.md", Content: &cut}); err == nil {
		t.Error("a short note was replaced")
	}
	_, err := w.Update(t.Context(), Update{ID: "ends.md", Content: &cut})
	must(t, err)
	files["ends.md"] = cut
	holds(t, w, files)
}

// TestUTF16IsNotChanged checks that a UTF-16 file is not changed, because it would then
// have two encodings.
func TestUTF16IsNotChanged(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "\xff\xfe#\x00 \x00A\x00", "b.md": "\xfe\xff\x00#\x00 \x00B"}
	w := newWriter(t, files)
	for _, u := range []Update{{ID: "a.md", Tags: &[]string{"x"}}, {ID: "b.md", Title: new("B")}, {ID: "b.md", Content: new("text")}} {
		_, err := w.Update(t.Context(), u)
		if problem, ok := errors.AsType[*ParamError](err); !ok || problem.Param != "id" {
			t.Errorf("got %v", err)
		}
	}
	holds(t, w, files)
}

func TestTitlesThatComeFromElsewhere(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"heading.md": "# A heading\n", "name.md": "text", "Some Name.md": "x"})
	if id := retitle(t, w, "heading.md", "A heading"); id != "heading.md" {
		t.Errorf("got %s", id)
	}
	if id := retitle(t, w, "name.md", "name"); id != "name.md" {
		t.Errorf("got %s", id)
	}
	if id := retitle(t, w, "Some Name.md", "Some name!"); id != "Some Name.md" {
		t.Errorf("got %s", id)
	}
	holds(t, w, map[string]string{"heading.md": "# A heading\n", "name.md": "text", "Some Name.md": "---\ntitle: \"Some name!\"\n---\nx"})
	if id := retitle(t, w, "heading.md", "Other"); id != "other.md" {
		t.Errorf("got %s", id)
	}
	_, err := w.Update(t.Context(), Update{ID: "name.md", Title: new("name"), Content: new("# Heading")})
	must(t, err)
	if got := w.note(t, "name.md").Title(); got != "name" {
		t.Errorf("the title is %q", got)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "---\nbroken: [\n---\ntext [[b]]", "b.md": "[[a]]", "c/A.md": "x", "c/a.md": "y"}
	for name, c := range map[string]struct {
		update Update
		param  string
		is     error
	}{
		"nothing":             {Update{ID: "b.md"}, "", nil},
		"unknown":             {Update{ID: "x.md", Title: new("x")}, "", ErrNotFound},
		"outside":             {Update{ID: "../a.md", Title: new("x")}, "", ErrNotFound},
		"no file name":        {Update{ID: "b.md", Title: new("…!")}, "title", nil},
		"taken":               {Update{ID: "b.md", Title: new("A")}, "", ErrExists},
		"stale":               {Update{ID: "b.md", Title: new("x"), IfHash: strings.Repeat("0", 64)}, "ifHash", nil},
		"broken front matter": {Update{ID: "a.md", Title: new("x y")}, "", nil},
		"ambiguous":           {Update{ID: "C/A.md", Title: new("x")}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriter(t, files)
			_, err := w.Update(t.Context(), c.update)
			problem, _ := errors.AsType[*ParamError](err)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || c.param != "" && (problem == nil || problem.Param != c.param) {
				t.Errorf("got %v", err)
			}
			holds(t, w, files)
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"d/a.md": "text", "b.md": "[[a]]"})
	hash := w.note(t, "d/a.md").Hash()
	if _, err := w.Delete(t.Context(), "d/a.md", strings.Repeat("0", 64)); err == nil {
		t.Error("a stale hash was accepted")
	}
	for _, want := range []error{nil, ErrNotFound} {
		if _, err := w.Delete(t.Context(), "d/a.md", hash); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	holds(t, w, map[string]string{"b.md": "[[a]]"})
	if kept, err := os.ReadFile(filepath.Join(w.Folder, ".trash/d/a.md")); string(kept) != "text" || err != nil {
		t.Errorf("the trash holds %q, %v", kept, err)
	}
	if _, err := w.Delete(t.Context(), "../a.md", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// TestNothingIsMadeInVain checks that no files or folders are created if nothing is
// written.
func TestNothingIsMadeInVain(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"a.md": "x"})
	_, _ = w.Delete(t.Context(), "missing.md", "")
	_, _ = w.Update(t.Context(), Update{ID: "missing.md", Title: new("x")})
	_, _ = w.Create(t.Context(), "..", "x", "", nil)
	must(t, w.Complete(t.Context()))
	if members, err := os.ReadDir(w.Folder); len(members) != 1 || err != nil {
		t.Errorf("there are %v, %v", members, err)
	}
}

func TestAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"a.md": "x"})
	must(t, os.RemoveAll(w.Folder))
	_, created := w.Create(t.Context(), "", "x", "", nil)
	_, updated := w.Update(t.Context(), Update{ID: "a.md", Title: new("x")})
	_, deleted := w.Delete(context.Background(), "a.md", "")
	for _, err := range []error{created, updated, deleted} {
		if err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
	}
}

// TestKept checks that a version saved by another program during a change is kept and
// named in the answer.
func TestKept(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"a.md": "new", "b.md": "x"})
	s, err := w.begin(t.Context()) // creates the state folder
	must(t, errors.Join(err, s.Close()))
	pending, err := filepath.Glob(filepath.Join(w.State, "*", "pending"))
	must(t, err)
	sum := func(text string) string { return notes.NewNote("", []byte(text)).Hash() }
	plan := fmt.Sprintf(`{"id":"A","begun":true,"steps":[{"name":"a.md","before":%q,"after":%q}]}`, sum("old"), sum("new"))
	state := files.State{Name: "plan", Kind: "change of files", Version: 1}
	must(t, os.WriteFile(filepath.Join(pending[0], "plan"), state.Encode([]byte(plan)), 0o600))
	must(t, os.WriteFile(filepath.Join(pending[0], "0"), []byte("saved by an editor"), 0o600))
	changed, err := w.Update(t.Context(), Update{ID: "b.md", Content: new("y")})
	must(t, err)
	if want := []string{"Saved by another program meanwhile, and kept: .trash/a.md"}; !slices.Equal(changed.Warnings, want) {
		t.Errorf("got %q", changed.Warnings)
	}
	if text, err := os.ReadFile(filepath.Join(w.Folder, ".trash/a.md")); string(text) != "saved by an editor" || err != nil {
		t.Errorf("kept %q, %v", text, err)
	}
	holds(t, w, map[string]string{"a.md": "new", "b.md": "y"})
}

// TestIfHashHoldsUntilTheEnd checks that ifHash also protects versions saved during the
// update.
func TestIfHashHoldsUntilTheEnd(t *testing.T) {
	t.Parallel()
	for _, title := range []*string{nil, new("other title")} {
		w := newWriter(t, map[string]string{"a.md": "as it was read"})
		hash := w.note(t, "a.md").Hash()
		_, err := w.Update(t.Context(), Update{ID: "a.md", Title: title, Content: new("ours"), IfHash: hash, Check: func(*notes.Note) error {
			put(t, w.Folder, "a.md", "saved by an editor")
			return nil
		}})
		if problem, ok := errors.AsType[*ParamError](err); !ok || problem.Param != "ifHash" {
			t.Errorf("got %v", err)
		}
		holds(t, w, map[string]string{"a.md": "saved by an editor"})
	}
}
