package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var gardenSeed = flag.Uint64("garden-seed", 26, "of the generated vault of notes")

// garden writes a vault at random.
type garden struct {
	*rand.Rand
	titles []string // of the notes so far
	ids    []string
}

var (
	gardenWords   = strings.Fields("Ash Birch Cedar Élan Fir Größe Holly Iris Juniper Kale Larch Moss Nettle Oak Pine Quince Rue Sage Thyme Umbel Vetch Willow Yew 2024-01-15")
	gardenFolders = []string{"", "", "a", "a/b", "c", "Daily Notes", "Daily Notes/2024", "projects/a"}
)

// gardenVault returns a vault with notes in folders, with names and titles in several
// styles, some of them shared, and links in all forms that a person may write.
func gardenVault(seed uint64, size int) map[string]string {
	g := &garden{Rand: rand.New(rand.NewPCG(seed, 26))}
	taken := map[string]bool{}
	for len(g.ids) < size {
		title := g.title()
		name := pick(g, title, strings.ToLower(strings.ReplaceAll(title, " ", "-")), title+" "+fmt.Sprint(g.IntN(9)))
		id := path.Join(pick(g, gardenFolders...), name+".md")
		if !taken[loose(id)] {
			taken[loose(id)] = true
			g.ids, g.titles = append(g.ids, id), append(g.titles, pick(g, title, g.title()))
		}
	}
	files := map[string]string{".obsidian/app.json": "{}", "picture.png": "PNG"}
	for i, id := range g.ids {
		files[id] = g.note(i)
	}
	return files
}

func pick[T any](g *garden, from ...T) T { return from[g.IntN(len(from))] }

// title returns one to three words.
func (g *garden) title() string {
	words := []string{pick(g, gardenWords...)}
	for range g.IntN(3) {
		words = append(words, pick(g, gardenWords...))
	}
	return strings.Join(words, " ")
}

// note returns the text of note i, whose title is in its front matter, a heading or the
// file name.
func (g *garden) note(i int) string {
	var b strings.Builder
	switch g.IntN(4) {
	case 0:
		fmt.Fprintf(&b, "---\ntitle: %q\ntags: [tree, %s]\nup: \"[[%s]]\"\n---\n", g.titles[i], strings.ToLower(pick(g, gardenWords...)), g.name())
	case 1:
		fmt.Fprintf(&b, "# %s\n\n", g.titles[i])
	case 2:
		b.WriteString("---\naliases: [x]\n---\nSome text.\n\n# Not the title\n\n")
	}
	for range g.IntN(7) {
		b.WriteString(g.line(g.ids[i]))
	}
	return b.String()
}

// name returns a name by which a wikilink may mean a note: of its file, a part of its
// path, its title, or of no note.
func (g *garden) name() string {
	i := g.IntN(len(g.ids))
	stem := whole(g.ids[i])
	parts := strings.Split(stem, "/")
	return pick(g, path.Base(stem), path.Base(stem), path.Base(stem), strings.ToUpper(path.Base(stem)), strings.ReplaceAll(path.Base(stem), " ", "-"),
		stem, "/"+stem, g.ids[i], path.Base(g.ids[i]), strings.Join(parts[max(0, len(parts)-2):], "/"), g.titles[i], g.titles[i], g.title()+" nowhere")
}

// line returns a line with a link in the note from, or with something like one.
func (g *garden) line(from string) string {
	name, to := g.name(), pick(g, g.ids...)
	relative, _ := filepath.Rel(path.Dir(from), to) // both are relative
	relative = filepath.ToSlash(relative)
	encoded := strings.NewReplacer(" ", "%20", "É", "%C3%89", "ö", "%C3%B6", "ß", "%C3%9F").Replace
	return pick(g, "See [["+name+"]] and so on.\n", "- [["+name+"|the words]]\n", "![["+name+"]]\n", "[["+name+"#A heading]] [["+name+"#^block|it]]\n",
		"| a | [["+name+`\|cell]] |`+"\n|---|---|\n| [["+g.name()+"]] | b |\n\n", "[["+whole(strings.TrimPrefix("./"+relative, "./../"))+"]]\n",
		"[[./"+whole(relative)+"]]\n", "[text]("+encoded(relative)+") and more\n", "[text](<"+relative+"#part>)\n", "[text](/"+encoded(to)+")\n",
		"[text]("+encoded(whole(relative))+")\n", "[text]("+encoded(to)+"#part)\n", "`[["+name+"]]` is code\n", "```\n[["+name+"]]\n```\n", `\[[`+name+"]]\n",
		"![[picture.png]] and [[]] and [a](https://example.org/x.md)\n", "Plain text, no link.\n")
}

// checkGarden waits until titles, links and backlinks of the server are those of the
// oracle. A server sees what others have changed after a second at the latest.
func checkGarden(t *testing.T, s *session, o *oracle) {
	t.Helper()
	for end := time.Now().Add(guard / 3); ; time.Sleep(100 * time.Millisecond) {
		difference := differenceIn(t, s, o)
		if difference == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(difference)
		}
	}
}

// differenceIn describes the first note that the server answers otherwise than the
// oracle, or is "".
func differenceIn(t *testing.T, s *session, o *oracle) string {
	t.Helper()
	type link struct{ ID, Title string }
	for _, id := range o.ids {
		quoted, _ := json.Marshal(id) // a string always can be
		var node struct {
			Title string
			Links []link
		}
		decode(t, s.call("notes/get_node", fmt.Sprintf(`{"id":%s}`, quoted)), &node)
		var links []string
		for _, l := range node.Links {
			links = append(links, l.ID)
		}
		var in []link
		decode(t, s.call("notes/get_neighbors", fmt.Sprintf(`{"id":%s,"direction":"in","limit":50}`, quoted)), &in)
		var sources []string
		for _, n := range in {
			sources = append(sources, n.ID)
		}
		n := o.notes[id]
		want := o.sources[id]
		if node.Title != n.title || !slices.Equal(links, n.targets()) || !slices.Equal(sources, want[:min(len(want), 50)]) {
			return fmt.Sprintf("%s: title %q, links %q, backlinks %q; want %q, %q, %q\n%s", id, node.Title, links, sources, n.title, n.targets(), want, n.body)
		}
	}
	return ""
}

func decode(t *testing.T, r response, into any) {
	t.Helper()
	if r.Error != nil {
		t.Fatalf("%s", r.line)
	}
	if err := json.Unmarshal(r.Result, into); err != nil {
		t.Fatalf("%s: %v", r.line, err)
	}
}

// checkRename compares a vault before and after a rename: each link leads where it led,
// with the same words, and no other text has changed.
func checkRename(t *testing.T, before, after *oracle, from, to, title string) {
	t.Helper()
	now := func(id string) string {
		if id == from {
			return to
		}
		return id
	}
	if len(before.ids) != len(after.ids) {
		t.Errorf("%s became %s: there were %d notes, and are %d", from, to, len(before.ids), len(after.ids))
	}
	for _, id := range before.ids {
		was, is := before.notes[id], after.notes[now(id)]
		if is == nil || len(was.links) != len(is.links) || !slices.Equal(was.parts, is.parts) {
			t.Errorf("%s became %s: %s has other text or links", from, to, id)
			continue
		}
		if id != from && was.title != is.title || id == from && is.title != title {
			t.Errorf("%s became %s: the title of %s was %q and is %q", from, to, id, was.title, is.title)
		}
		for i, a := range was.links {
			b := is.links[i]
			kept := a.label == b.label || a.label == "" && a.to == from && b.label == title
			if a.to != "" && b.to != now(a.to) || !kept || a.form != b.form || a.fragment != b.fragment || a.to == "" && a.target != b.target {
				t.Errorf("%s became %s: in %s the link %+v is now %+v", from, to, id, a, b)
			}
		}
	}
}

// renameInGarden gives a random one of the notes a random title until the server accepts
// it, and returns the ids of the note and the title. A title may be refused, because a
// note has it or a link cannot be kept.
func renameInGarden(t *testing.T, g *garden, s *session, ids []string) (from, to, title string) {
	t.Helper()
	for range 20 {
		from, title = pick(g, ids...), g.title()+pick(g, "", " the Second", " & more")
		quoted, _ := json.Marshal(from)
		r := s.call("notes/update_node", fmt.Sprintf(`{"id":%s,"title":%q}`, quoted, title))
		if r.Error != nil && (strings.Contains(string(r.Error.Data), "NODE_EXISTS") || strings.Contains(string(r.Error.Data), "by hand")) {
			continue
		}
		return from, idOf(t, r), title
	}
	t.Fatal("20 titles were refused")
	return "", "", ""
}

var (
	gardenSize    = flag.Int("garden", 200, "how many notes the generated vault has")
	gardenRenames = flag.Int("garden-renames", 5, "how many notes are renamed and compared with the oracle")
)

// TestGarden compares a generated vault with an independent resolver, as it is
// first and after renames.
func TestGarden(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeVault(t, dir, gardenVault(*gardenSeed, *gardenSize))
	s := build(t).serveNotes(t, dir)
	o := newOracle(readVault(t, dir))
	checkGarden(t, s, o)
	g := &garden{Rand: rand.New(rand.NewPCG(*gardenSeed, 1))}
	for range *gardenRenames {
		from, to, title := renameInGarden(t, g, s, o.ids)
		before := o
		o = newOracle(readVault(t, dir))
		checkRename(t, before, o, from, to, title)
		if t.Failed() {
			break
		}
	}
	checkGarden(t, s, o)
	s.end()
}
