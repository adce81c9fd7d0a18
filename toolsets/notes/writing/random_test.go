package writing

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/toolsets/notes"
)

var seed = flag.Uint64("seed", 1, "of the random changes")

// TestRandomChanges checks that after many changes by tools and by other programs, the
// updated graph equals one built from scratch, and that no rename broke a link.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	g := &gardener{Rand: rand.New(rand.NewPCG(*seed, 15)), w: newWriter(t, nil)}
	for range 500 {
		g.change(t)
	}
	same(t, g.look(t, g.w), g.look(t, writerTo(g.w.Folder)))
	if g.renamed < 20 {
		t.Errorf("only %d renames", g.renamed)
	}
}

// gardener changes a vault at random.
type gardener struct {
	*rand.Rand
	w       *Writer
	renamed int
}

var (
	words   = strings.Fields("Ash Birch Cedar Élan Fir größe Holly Iris")
	folders = []string{"", "a", "a/b", "C"}
)

func (g *gardener) title() string {
	title := words[g.IntN(len(words))]
	if g.IntN(2) == 0 {
		title += " " + words[g.IntN(len(words))]
	}
	return title
}

func (g *gardener) look(t testing.TB, w *Writer) *notes.Snapshot {
	t.Helper()
	s, err := w.Vault.Look(t.Context())
	must(t, err)
	return s
}

// text returns a text with a few links, to existing and missing notes.
func (g *gardener) text(s *notes.Snapshot) string {
	var b strings.Builder
	for range g.IntN(4) {
		name, id := g.title(), "x/"+FileName(g.title())+".md"
		if all := s.Notes(); len(all) > 0 {
			n := all[g.IntN(len(all))]
			name, id = n.Title(), string(n.ID)
		}
		link := []string{"[[%s]]", "[[%[3]s|x]]", "![[%[2]s#h]]", "[x](../a/%[3]s.md)", "[x](<%[2]s>)", "`[[%s]]`", "[[%[3]s.md]]"}[g.IntN(7)]
		fmt.Fprintf(&b, link+"%.0[1]s%.0[2]s%.0[3]s\n", name, id, FileName(name))
	}
	return b.String()
}

func (g *gardener) change(t *testing.T) {
	s := g.look(t, g.w)
	all := s.Notes()
	if len(all) < 5 || g.IntN(4) == 0 && len(all) < 40 {
		_, err := g.w.Create(t.Context(), folders[g.IntN(len(folders))], g.title(), g.text(s), nil)
		if err != nil && !errors.Is(err, ErrExists) {
			t.Fatal(err)
		}
		return
	}
	n := all[g.IntN(len(all))]
	switch g.IntN(8) {
	case 0:
		_, err := g.w.Delete(t.Context(), string(n.ID), "")
		must(t, err)
	case 1:
		put(t, g.w.Folder, string(n.ID), g.text(s))
	case 2:
		must(t, os.Remove(filepath.Join(g.w.Folder, string(n.ID))))
	case 3:
		put(t, g.w.Folder, path.Join(folders[g.IntN(len(folders))], g.title()+".md"), g.text(s))
	case 4:
		_, err := g.w.Update(t.Context(), Update{ID: string(n.ID), Content: new(g.text(s))})
		must(t, err)
	default:
		g.rename(t, s, n)
	}
}

// rename renames a note and compares all link targets before and after.
func (g *gardener) rename(t *testing.T, s *notes.Snapshot, n *notes.Note) {
	title := g.title()
	changed, err := g.w.Update(t.Context(), Update{ID: string(n.ID), Title: &title})
	id := changed.ID
	if _, refused := errors.AsType[*ParamError](err); refused || errors.Is(err, ErrExists) {
		return
	}
	must(t, err)
	g.renamed++
	after := g.look(t, g.w)
	called := func(n *notes.Note, old notes.ID) notes.ID {
		if n == nil {
			return ""
		}
		if n.ID == old {
			return id
		}
		return n.ID
	}
	for _, before := range s.Notes() {
		now, err := after.Find(string(called(before, n.ID)))
		if err != nil || now == nil {
			t.Fatalf("%s is gone: %v", before.ID, err)
		}
		targets := after.Targets(now)
		for k, target := range s.Targets(before) {
			if target != nil && called(targets[k], "") != called(target, n.ID) {
				t.Errorf("%s became %s: link %d of %s led to %s, leads to %v: %q, %q", n.ID, id, k, before.ID, target.ID, targets[k], before.File, now.File)
			}
		}
	}
}

// same compares two snapshots.
func same(t *testing.T, a, b *notes.Snapshot) {
	t.Helper()
	if len(a.Notes()) != len(b.Notes()) || len(a.Notes()) == 0 {
		t.Fatalf("%d notes and %d", len(a.Notes()), len(b.Notes()))
	}
	for i, n := range a.Notes() {
		m := b.Notes()[i]
		ids := func(all []*notes.Note) (ids []string) {
			for _, n := range all {
				if n != nil {
					ids = append(ids, string(n.ID))
				}
			}
			return ids
		}
		in, out := a.Degrees(n)
		inAnew, outAnew := b.Degrees(m)
		if n.ID != m.ID || n.Title() != m.Title() || string(n.File) != string(m.File) || in != inAnew || out != outAnew ||
			!slices.Equal(ids(a.Targets(n)), ids(b.Targets(m))) {
			t.Errorf("%s is not what it is anew", n.ID)
		}
	}
}
