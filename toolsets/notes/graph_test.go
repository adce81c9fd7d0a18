package notes_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/toolsets/notes"
)

// plain is a simple graph: the names of the notes that each note links to.
type plain map[string][]string

// random returns a random graph of notes in folders, and their files.
func random(r *rand.Rand, count, links int) (plain, map[string]string) {
	g, files := plain{}, map[string]string{}
	var names []string
	for i := range count {
		name := fmt.Sprintf("n%d.md", i)
		if i%3 == 0 {
			name = fmt.Sprintf("f%d/n%d.md", i%2, i)
		}
		names = append(names, name)
	}
	for _, name := range names {
		var text strings.Builder
		g[name] = nil
		for range r.IntN(links + 1) {
			to := names[r.IntN(len(names))]
			up := ""
			if strings.Contains(name, "/") {
				up = "../"
			}
			forms := []string{"[[%s]]\n", "[x](" + up + "%s)\n", "[[%s#h|x]] and [[nowhere]]\n", "![[%s]]\n", "`[[%s]]`\n"}
			form := r.IntN(len(forms))
			fmt.Fprintf(&text, forms[form], to)
			if form < 4 && !slices.Contains(g[name], to) {
				g[name] = append(g[name], to)
			}
		}
		files[name] = text.String()
	}
	return g, files
}

// in returns the notes that link to a note, sorted by id.
func (g plain) in(to string) (from []string) {
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if slices.Contains(g[name], to) {
			from = append(from, name)
		}
	}
	return from
}

// neighbors returns the neighbours that the contract defines, with their directions.
func (g plain) neighbors(of string) (all []string) {
	out, in := slices.Sorted(slices.Values(g[of])), g.in(of)
	for _, name := range out {
		if slices.Contains(in, name) {
			all = append(all, name+" both")
		} else {
			all = append(all, name+" out")
		}
	}
	for _, name := range in {
		if !slices.Contains(out, name) {
			all = append(all, name+" in")
		}
	}
	return all
}

// path tries all paths, shortest first and in the order of ids.
func (g plain) path(from, to string) []string {
	seen := map[string]bool{from: true}
	for ways := [][]string{{from}}; len(ways) > 0; {
		var longer [][]string
		for _, way := range ways { // sorted by ids, like the paths before
			at := way[len(way)-1]
			if at == to {
				return way
			}
			for _, next := range slices.Sorted(slices.Values(g[at])) {
				if !seen[next] {
					seen[next] = true
					longer = append(longer, append(slices.Clone(way), next))
				}
			}
		}
		ways = longer
	}
	return nil
}

func (g plain) hubs(score func(name string) int) []string {
	names := slices.Sorted(maps.Keys(g))
	slices.SortStableFunc(names, func(a, b string) int { return score(b) - score(a) })
	for i, name := range names {
		names[i] = fmt.Sprint(name, " ", score(name))
	}
	return names
}

func TestGraphsEqualPlainOnes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		g, files := random(r, 1+r.IntN(30), 5)
		compareGraphs(t, fmt.Sprint("seed ", seed), snapshot(files), g)
	}
}

func compareGraphs(t *testing.T, what string, s *notes.Snapshot, g plain) {
	t.Helper()
	equal := func(about string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s:\ngot  %q\nwant %q", what, about, got, want)
		}
	}
	var hubs [2][]string
	for m := range hubs {
		for _, h := range s.Hubs(notes.Metric(m)) {
			hubs[m] = append(hubs[m], fmt.Sprint(h.ID, " ", h.Score))
		}
	}
	equal("in degrees", hubs[notes.InDegree], g.hubs(func(name string) int { return len(g.in(name)) }))
	equal("out degrees", hubs[notes.OutDegree], g.hubs(func(name string) int { return len(g[name]) }))
	for name := range g {
		n, err := s.Find(name)
		if err != nil || n == nil {
			t.Fatal(name, err)
		}
		equal("links of "+name, strings.Fields(ids(s.Links(n))), g[name])
		var beside []string
		for _, b := range s.Neighbors(n, notes.Both, len(g)) {
			beside = append(beside, fmt.Sprint(b.ID, " ", b.Direction))
		}
		equal("neighbours of "+name, beside, g.neighbors(name))
		for other := range g {
			to, _ := s.Find(other)
			equal("path from "+name+" to "+other, strings.Fields(ids(s.Path(n, to, notes.Out))), g.path(name, other))
		}
	}
}

// TestSnapshotsFollowChanges checks that a snapshot built from an earlier one equals one
// built from scratch.
func TestSnapshotsFollowChanges(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	texts := []string{"", "[[a]]", "# a\n[[b]]", "[[c]] [[Title]]", "# Title\n[x](a.md)", "---\ntitle: b\n---\n[[d]] [[a]]", "[[x/a]] [[B]]"}
	ids := []notes.ID{"a.md", "b.md", "x/a.md", "x/b.md", "c.md", "D.md", "d.md"}
	var before *notes.Snapshot
	all := map[notes.ID]*notes.Note{}
	for step := range 2000 {
		id := ids[r.IntN(len(ids))]
		if r.IntN(4) == 0 {
			delete(all, id)
		} else {
			all[id] = notes.NewNote(id, []byte(texts[r.IntN(len(texts))]))
		}
		got := notes.NewSnapshot(slices.Collect(maps.Values(all)), before)
		if a, b := described(got), described(notes.NewSnapshot(slices.Collect(maps.Values(all)), nil)); a != b {
			t.Fatalf("step %d:\ngot\n%s\nwant\n%s", step, a, b)
		}
		before = got
	}
}

func described(s *notes.Snapshot) string {
	var text strings.Builder
	for _, n := range s.Notes() {
		fmt.Fprintf(&text, "%s -> %s, warnings %q, beside", n.ID, ids(s.Links(n)), s.Warnings(n))
		for _, b := range s.Neighbors(n, notes.Both, 100) {
			fmt.Fprint(&text, " ", b.ID, " ", b.Direction)
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}

func TestPageRank(t *testing.T) {
	t.Parallel()
	s := snapshot(map[string]string{"a.md": "[[hub]]", "b.md": "[[hub]]", "c.md": "[[b]]", "hub.md": "[[a]]"})
	sum, order := 0.0, ""
	for _, h := range s.Hubs(notes.PageRank) {
		sum += h.Score
		order += string(h.ID) + " "
	}
	if order != "hub.md a.md b.md c.md " || sum < 0.99999 || sum > 1.00001 {
		t.Errorf("%s adds up to %v", order, sum)
	}
	// Two notes that link to each other have equal ranks. The third has only the rank of
	// random starts.
	pair := snapshot(map[string]string{"a.md": "[[b]]", "b.md": "[[a]]", "c.md": "[[a]] [[b]]"})
	if h := pair.Hubs(notes.PageRank); h[0].ID != "a.md" || h[0].Score != h[1].Score || h[2].Score != 0.05 {
		t.Errorf("%v %v %v", h[0].Score, h[1].Score, h[2].Score)
	}
}

func TestCheckTellsOfUTF16(t *testing.T) {
	t.Parallel()
	s := notes.NewSnapshot([]*notes.Note{notes.NewNote("a.md", []byte("\xff\xfe#\x00")), notes.NewNote("b.md", []byte("[[a]]"))}, nil)
	if found := s.Check(); len(found) != 1 || found[0].Path != "a.md" || found[0].Kind != notes.Encoding {
		t.Errorf("got %v", found)
	}
}

// TestNotParsed checks that a note that is not parsed has no links, and that its
// warnings and Check say so.
func TestNotParsed(t *testing.T) {
	t.Parallel()
	s := snapshot(map[string]string{
		"a.md": "[[deep]]", "deep.md": "---\ntags: [x]\n---\n# H\n\n[[a]] [[gone]]\n\n" + strings.Repeat("> ", 10_000), "large.md": "[[a]]" + strings.Repeat(" ", 5<<20),
	})
	deep, _ := s.Find("deep.md")
	if got := s.Warnings(deep); len(got) != 1 || !strings.HasPrefix(got[0], "Not parsed: ") {
		t.Errorf("warnings %q", got)
	}
	if deep.Title() != "deep" || len(s.Links(deep)) != 0 || len(s.Tagged([]string{"x"}, false)) != 1 {
		t.Errorf("title %q, links %v", deep.Title(), s.Links(deep))
	}
	found := ""
	for _, f := range s.Check() {
		found += fmt.Sprintf("%s:%d %s; ", f.Path, f.Line, f.Kind)
	}
	if found != "deep.md:4 not parsed; large.md:1 not parsed; " {
		t.Errorf("a check finds %s", found)
	}
}
