package writing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/toolsets/notes"
)

// TestLinksKeepTheirForm checks that links of every form keep their target and, except
// for the name, their form.
func TestLinksKeepTheirForm(t *testing.T) {
	t.Parallel()
	for before, after := range map[string]string{
		"[[old-note]]":                           "[[new-note|New Note]]",
		"[[old-note|Alias]]":                     "[[new-note|Alias]]",
		"| [[old-note\\|Alias]] |\n|-|\n":        "| [[new-note\\|Alias]] |\n|-|\n",
		"| [[old-note]] |\n|-|\n":                "| [[new-note\\|New Note]] |\n|-|\n",
		"[x](d/old-note)":                        "[x](d/new-note)",
		"[x](/d/old-note.md#h)":                  "[x](/d/new-note.md#h)",
		"[[./d/old-note]]":                       "[[./d/new-note]]",
		"[[old-note#Heading|x]]":                 "[[new-note#Heading|x]]",
		"[[old-note#^block]]":                    "[[new-note#^block]]",
		"![[old-note]]":                          "![[new-note]]",
		"![[old-note#h|100]]":                    "![[new-note#h|100]]",
		"[[old-note.md]]":                        "[[new-note.md]]",
		"[[d/old-note]]":                         "[[d/new-note]]",
		"[[d/old-note.md#h]]":                    "[[d/new-note.md#h]]",
		"[[/d/old-note]]":                        "[[/d/new-note]]",
		"[[Old Note]]":                           "[[new-note|New Note]]",
		"[[ old note |x]]":                       "[[ new-note |x]]",
		"[[Old-Note]]":                           "[[new-note|New Note]]",
		"[x](d/old-note.md)":                     "[x](d/new-note.md)",
		"[x](./d/old-note.md#h \"title\")":       "[x](./d/new-note.md#h \"title\")",
		"[x](<d/old-note.md>)":                   "[x](<d/new-note.md>)",
		"[x](d/old%2Dnote.md)":                   "[x](d/new-note.md)",
		"![x](d/old-note.md)":                    "![x](d/new-note.md)",
		"[x][l] [l] [l][]\n\n[l]: d/old-note.md": "[x][l] [l] [l][]\n\n[l]: d/new-note.md",
		"---\nup: \"[[old-note]]\" # x\n---\n":   "---\nup: \"[[new-note|New Note]]\" # x\n---\n",
		"---\nup: ['[[old-note|a]]']\n---\n":     "---\nup: ['[[new-note|a]]']\n---\n",
		"`[[old-note]]` \\[[old-note]]":          "",
		"```\n[[old-note]]\n```\n[[other]]":      "",
		"[[missing]] [x](old-note.md)":           "",
		"[[old-note]] [[old-note]]\r\n[[other]]": "[[new-note|New Note]] [[new-note|New Note]]\r\n[[other]]",
		"text old-note":                          "",
	} {
		if after == "" {
			after = before
		}
		w := newWriter(t, map[string]string{"from.md": before, "d/old-note.md": "---\ntitle: Old Note\n---\nx", "other.md": "y"})
		if id := retitle(t, w, "d/old-note.md", "New Note"); id != "d/new-note.md" {
			t.Errorf("got %s", id)
		}
		holds(t, w, map[string]string{"from.md": after, "d/new-note.md": "---\ntitle: New Note\n---\nx", "other.md": "y"})
	}
}

func TestRenames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before    map[string]string
		id, title string
		after     map[string]string
	}{
		"the bare name would lead elsewhere": {
			map[string]string{"a.md": "[[old]]", "x/old.md": "1", "x/y.md": "[[old]]", "new/new.md": "2", "z/new.md": "3"},
			"x/old.md", "New",
			map[string]string{"a.md": "[[x/new|New]]", "x/New.md": "", "x/y.md": "[[new|New]]", "new/new.md": "2", "z/new.md": "3"},
		},
		"another note's link would lead here": {
			map[string]string{"a.md": "[[old]] [[new|n]]", "b/old.md": "1", "c/d/new.md": "2"},
			"b/old.md", "New",
			map[string]string{"a.md": "[[b/new|New]] [[c/d/new|n]]", "b/New.md": "", "c/d/new.md": "2"},
		},
		"a title would lead here": {
			map[string]string{"a.md": "[[Report]]", "b.md": "---\ntitle: Report\n---\n", "old.md": "1"},
			"old.md", "Report!",
			map[string]string{"a.md": "[[b]]", "b.md": "---\ntitle: Report\n---\n", "report.md": "---\ntitle: \"Report!\"\n---\n1"},
		},
		"links to itself": {
			map[string]string{"old.md": "[[old]] [x](old.md) [[#h]]"},
			"old.md", "New",
			map[string]string{"new.md": "---\ntitle: New\n---\n[[new|New]] [x](new.md) [[#h]]"},
		},
		"from below and beside": {
			map[string]string{"d/old.md": "[[a]] [up](../a.md)", "a.md": "[x](d/old.md)", "d/e/f.md": "[x](../old.md)", "d/g.md": "[x](old.md)"},
			"d/old.md", "Größe (1)",
			map[string]string{"d/größe-1.md": "---\ntitle: Größe (1)\n---\n[[a]] [up](../a.md)", "a.md": "[x](d/größe-1.md)",
				"d/e/f.md": "[x](../größe-1.md)", "d/g.md": "[x](größe-1.md)"},
		},
		"percent signs": {
			map[string]string{"My Note.md": "x", "a.md": "[x](My%20Note.md) [y](<My Note.md>) [[My Note]]"},
			"My Note.md", "Über uns",
			map[string]string{"über-uns.md": "---\ntitle: Über uns\n---\nx", "a.md": "[x](%C3%BCber-uns.md) [y](<über-uns.md>) [[über-uns|Über uns]]"},
		},
		"only the title, linked to": {
			map[string]string{"note.md": "---\ntitle: Some Title\n---\n", "a.md": "[[Some Title|x]] [[note]]"},
			"note.md", "Note",
			map[string]string{"note.md": "---\ntitle: Note\n---\n", "a.md": "[[note|x]] [[note]]"},
		},
		"a title that no link can hold": {
			map[string]string{"note.md": "---\ntitle: Some Title\n---\n", "a.md": "[[Some Title]]"},
			"note.md", "A [b] #c",
			map[string]string{"a-b-c.md": "---\ntitle: \"A [b] #c\"\n---\n", "a.md": "[[a-b-c]]"},
		},
		"composed in two ways": {
			map[string]string{"Cafe\u0301.md": "x", "a.md": "[[Café]] [x](Caf%C3%A9.md)"},
			"Café.md", "Tea",
			map[string]string{"tea.md": "---\ntitle: Tea\n---\nx", "a.md": "[[tea|Tea]] [x](tea.md)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriter(t, c.before)
			id := retitle(t, w, c.id, c.title)
			want := maps.Clone(c.after)
			for name, text := range want { // "x/New.md" stands for the id after the rename
				if text == "" && strings.Contains(name, "New") {
					delete(want, name)
					want[string(id)] = fmt.Sprintf("---\ntitle: %s\n---\n%s", c.title, c.before[c.id])
				}
			}
			holds(t, w, want)
		})
	}
}

// TestNewNotesTakeNoLinks checks that a new note does not become the target of links to
// another note with the same name.
func TestNewNotesTakeNoLinks(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md":    "[[g]] [[deep note|x]] [[G.md#h]] [[none]] `[[g]]`",
		"d/g.md":  "[[g]]",
		"z.md":    "---\ntitle: Deep Note\n---\n",
		"far.md":  "[[d/g]] [[z]]",
		"link.md": "[[Far away]]",
	}
	w := newWriter(t, files)
	w.RejectLinks = true
	_, err := w.Create(t.Context(), "", "G", "", nil)
	if problem, ok := errors.AsType[*ParamError](err); !ok || problem.Param != "title" {
		t.Errorf("got %v", err)
	}
	holds(t, w, files)
	w.RejectLinks = false
	for _, title := range []string{"G", "Deep: note", "Far away"} {
		_, err := w.Create(t.Context(), "", title, "", nil)
		must(t, err)
	}
	want := maps.Clone(files)
	want["a.md"] = "[[d/g]] [[z|x]] [[d/g.md#h]] [[none]] `[[g]]`"
	want["d/g.md"] = "[[d/g]]" // which a path of that name would come before
	want["g.md"] = "---\ntitle: G\n---\n"
	want["deep-note.md"] = "---\ntitle: \"Deep: note\"\n---\n"
	want["far-away.md"] = "---\ntitle: Far away\n---\n"
	holds(t, w, want)
}

// TestLinksFollowAHeading checks that links by title follow if new content changes the
// heading that is the title.
func TestLinksFollowAHeading(t *testing.T) {
	t.Parallel()
	files := map[string]string{"d/n.md": "# Old\nx", "a.md": "[[Old|x]] [[n]] [x](d/n.md)", "b.md": "[[New]]", "z.md": "# New"}
	w := newWriter(t, files)
	w.RejectLinks = true
	if _, err := w.Update(t.Context(), Update{ID: "d/n.md", Content: new("# Newer\n")}); err == nil {
		t.Error("links have been changed")
	}
	holds(t, w, files)
	w.RejectLinks = false
	for content, want := range map[string]string{"# Newer\n": "[[n|x]] [[n]] [x](d/n.md)", "no heading": "[[n|x]] [[n]] [x](d/n.md)"} {
		w := newWriter(t, files)
		_, err := w.Update(t.Context(), Update{ID: "d/n.md", Content: &content})
		must(t, err)
		holds(t, w, map[string]string{"d/n.md": content, "a.md": want, "b.md": "[[New]]", "z.md": "# New"})
	}
}

func TestRejectLinks(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "[[old]]", "old.md": "x", "free.md": "y"}
	w := newWriter(t, files)
	w.RejectLinks = true
	_, err := w.Update(t.Context(), Update{ID: "old.md", Title: new("New")})
	if problem, ok := errors.AsType[*ParamError](err); !ok || !strings.Contains(problem.Message, "a.md") {
		t.Errorf("got %v", err)
	}
	holds(t, w, files)
	if id := retitle(t, w, "free.md", "Other"); id != "other.md" {
		t.Errorf("got %s", id)
	}
}

// TestOthersAreNotTouched checks that unrelated notes keep their modification time.
func TestOthersAreNotTouched(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"old.md": "x", "a.md": "[[old]]", "b.md": "[[a]] old"})
	long := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	must(t, os.Chtimes(filepath.Join(w.Folder, "b.md"), long, long))
	retitle(t, w, "old.md", "New")
	if info, err := os.Stat(filepath.Join(w.Folder, "b.md")); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("b.md was written: %v, %v", info, err)
	}
}

// stale is a vault that never notices a change.
type stale struct{ snapshot *notes.Snapshot }

func (v stale) Snapshot(context.Context) (*notes.Snapshot, error) { return v.snapshot, nil }
func (v stale) Look(context.Context) (*notes.Snapshot, error)     { return v.snapshot, nil }

// TestEditsMadeAMomentAgoSurvive checks that an edit missing from the snapshot survives,
// in the renamed note and in notes with links.
func TestEditsMadeAMomentAgoSurvive(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"old.md": "x", "a.md": "[[old]]", "b.md": "y"})
	s, err := w.Vault.Look(t.Context())
	must(t, err)
	w.Vault = stale{s}
	put(t, w.Folder, "old.md", "x, edited")
	put(t, w.Folder, "a.md", "edited [[old|x]] [[b]]")
	_, err = w.Update(t.Context(), Update{ID: "old.md", Title: new("New")})
	must(t, err)
	holds(t, w, map[string]string{"new.md": "---\ntitle: New\n---\nx, edited", "a.md": "edited [[new|x]] [[b]]", "b.md": "y"})
}

func TestTwoCreateOneNote(t *testing.T) {
	t.Parallel()
	w := newWriter(t, nil)
	results := make(chan error)
	for i := range 8 {
		go func() {
			_, err := writerTo(w.Folder).Create(t.Context(), "", "The Same", fmt.Sprint(i), nil)
			results <- err
		}()
	}
	won := 0
	for range 8 {
		if err := <-results; err == nil {
			won++
		} else if !errors.Is(err, ErrExists) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d have created it", won)
	}
}

// TestNotesThatAreLinks checks that a symbolic link to a note is not replaced by a file.
func TestNotesThatAreLinks(t *testing.T) {
	t.Parallel()
	w := newWriter(t, map[string]string{"old.md": "x", "a.md": "[[old]]"})
	if err := os.Symlink("a.md", filepath.Join(w.Folder, "link.md")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	_, err := w.Update(t.Context(), Update{ID: "link.md", Content: new("y")})
	if problem, ok := errors.AsType[*ParamError](err); !ok || problem.Param != "id" {
		t.Errorf("got %v", err)
	}
	retitle(t, w, "old.md", "New")
	if to, err := os.Readlink(filepath.Join(w.Folder, "link.md")); to != "a.md" || err != nil {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	holds(t, w, map[string]string{"new.md": "---\ntitle: New\n---\nx", "a.md": "[[new|New]]"})
}
