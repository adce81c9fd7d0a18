package writing

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"instruction-catalog/catalog/markdown"
	"instruction-catalog/toolsets/notes"
)

// FuzzRelink checks that renaming another note changes only link targets in a note, that
// every link keeps its target, and that applying the change twice has the same effect as
// once.
func FuzzRelink(f *testing.F) {
	for _, text := range []string{
		"[[old]] [[d/old|a]] ![[Old Note#h]] [x](old.md) [y](<d/../old.md>) [[new]] `[[old]]`",
		"---\nup: \"[[old]]\"\ndown: ['[[new|x]]', [[old]]]\n---\n[x][r]\n\n[r]: old.md#a 'title'\n",
		"\ufeff| [[old\\|x]] |\r\n|-|\r\n[o](o%6cd.md) [o](&#111;ld.md) [o](o\\ld.md)\r\n```\n[[old]]\n",
		"> - [[old]]\n> \t[[old]]\n\n\t[[old]]\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		old := notes.NewNote("old.md", []byte("---\ntitle: Old Note\n---\n"))
		s := notes.NewSnapshot([]*notes.Note{
			notes.NewNote("a.md", text), old, notes.NewNote("d/old.md", nil), notes.NewNote("e/new.md", nil),
			notes.NewNote("e/f/b.md", text),
		}, nil)
		r, err := newRename(s, old, "new.md", change{Name: "new", Title: new("New Note")})
		if err != nil {
			t.Fatal(err)
		}
		plan, _, err := r.plan(func(notes.ID) bool { return false })
		if err != nil {
			return // rejected
		}
		for _, e := range plan.Edits {
			if e.Name != "old.md" {
				checkRelinked(t, r, notes.ID(e.Name), text, e.Do)
			}
		}
	})
}

func checkRelinked(t *testing.T, r *rename, id notes.ID, text []byte, do json.RawMessage) {
	t.Helper()
	once, err := rewrite(text, do)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := rewrite(once, do)
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("%q became %q, then %q, %v", text, once, twice, err)
	}
	before, after := notes.NewNote(id, text), notes.NewNote(id, once)
	if !bytes.Equal(withoutTargets(before), withoutTargets(after)) {
		t.Errorf("%q became %q", text, once)
	}
	for k := range before.Parts.Links {
		was, is := r.before.Resolve(id, &before.Parts.Links[k]), r.after.Resolve(id, &after.Parts.Links[k])
		if len(was) > 0 && (len(is) == 0 || is[0] != r.afterwards(was[0])) {
			t.Errorf("link %d of %q led to %s, in %q to %v", k, text, was[0].ID, once, is)
		}
	}
}

// withoutTargets returns a note without its link targets.
func withoutTargets(n *notes.Note) []byte {
	links := slices.Clone(n.Parts.Links)
	slices.SortStableFunc(links, func(a, b markdown.Link) int { return a.Target.Start - b.Target.Start })
	var rest []byte
	done := 0
	for _, l := range links {
		if l.Target.Start >= done {
			rest = append(rest, n.File[done:l.Target.Start]...)
			done = l.Target.End
		}
	}
	rest = append(rest, n.File[done:]...)
	for _, alias := range []string{`\|New Note`, "|New Note"} { // a rename may add it
		rest = bytes.ReplaceAll(rest, []byte(alias), nil)
	}
	return rest
}
