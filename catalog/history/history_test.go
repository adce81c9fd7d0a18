package history

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// contents are the entries of a catalog, each with a body and a priority.
type contents map[catalog.ID][2]int

func (c contents) snapshot() *catalog.Snapshot {
	var entries []*catalog.Entry
	for id, v := range c {
		body := fmt.Sprint("Body ", v[0])
		entries = append(entries, catalog.NewEntry(catalog.Instruction{
			ID: id, Title: "T", Body: body, Priority: v[1], SourceHash: catalog.FingerprintOf(body),
		}, catalog.Origin{}))
	}
	return catalog.NewSnapshot(entries, nil)
}

// changed returns a copy with some random changes.
func (c contents) changed(random *rand.Rand) contents {
	next := maps.Clone(c)
	for range random.IntN(4) {
		id := catalog.ID(fmt.Sprint("e", random.IntN(8)))
		if random.IntN(3) == 0 {
			delete(next, id)
		} else {
			next[id] = [2]int{random.IntN(2), 1 + random.IntN(2)}
		}
	}
	return next
}

// between computes the changes in the straightforward way.
func between(before, after *catalog.Snapshot) string {
	var known []catalog.Known
	for _, e := range before.Entries() {
		known = append(known, catalog.Known{ID: e.ID, EntryHash: e.Hash()})
	}
	return describe(after.Diff(known))
}

func describe(c catalog.Changes) string {
	var b strings.Builder
	for _, e := range c.Added {
		fmt.Fprint(&b, "+", e.ID)
	}
	for _, e := range c.Updated {
		fmt.Fprint(&b, "~", e.ID)
	}
	for _, id := range c.Removed {
		fmt.Fprint(&b, "-", id)
	}
	return b.String()
}

// past is a history with its snapshots.
type past struct {
	*History
	snapshots []*catalog.Snapshot
}

func newPast(random *rand.Rand, steps int) *past {
	p := &past{}
	p.History = New(func() *catalog.Snapshot { return p.snapshots[len(p.snapshots)-1] })
	c := contents{"e0": {1, 1}}
	for range steps {
		p.swap(c.snapshot())
		c = c.changed(random)
	}
	return p
}

func (p *past) swap(s *catalog.Snapshot) {
	p.snapshots = append(p.snapshots, s)
	p.Note(s)
}

// TestSince compares the changes since each revision, and since the oldest revision
// with each hash, with the changes between the two snapshots.
func TestSince(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := newPast(random, 1+random.IntN(12))
		last := p.snapshots[len(p.snapshots)-1]
		for _, s := range p.snapshots {
			oldest := p.snapshots[slices.IndexFunc(p.snapshots, func(o *catalog.Snapshot) bool { return o.Hash() == s.Hash() })]
			for token, from := range map[catalog.Fingerprint]*catalog.Snapshot{s.Revision(): s, s.Hash(): oldest} {
				now, changes, known := p.Since(token)
				if got, want := describe(changes), between(from, last); !known || now != last || got != want {
					t.Fatalf("seed %d: since %.8s: known %v, changes %q, want %q", seed, token, known, got, want)
				}
			}
		}
		if _, _, known := p.Since("another"); known {
			t.Fatal("another token is known")
		}
	}
}

// A snapshot that a caller has seen is known before Note is called for it. Note then
// changes nothing.
func TestSeenBeforeNoted(t *testing.T) {
	t.Parallel()
	p := newPast(rand.New(rand.NewPCG(1, 1)), 1)
	before := p.Current()
	p.snapshots = append(p.snapshots, contents{"new": {1, 1}}.snapshot())
	if _, changes, known := p.Since(before.Revision); !known || describe(changes) != "+new-e0" {
		t.Errorf("known %v, changes %q", known, describe(changes))
	}
	p.Note(p.snapshots[1])
	if p.Current(); len(p.steps) != 2 {
		t.Errorf("%d revisions, want 2", len(p.steps))
	}
}

// Only a limited number of revisions and changes is remembered.
func TestBounds(t *testing.T) {
	t.Parallel()
	p := newPast(rand.New(rand.NewPCG(1, 1)), 1)
	first := p.Current()
	for i := range maxRevisions - 1 {
		p.swap(contents{"e0": {i + 10, 1}}.snapshot())
	}
	if _, _, known := p.Since(first.Revision); !known {
		t.Error("a revision is forgotten too early")
	}
	p.swap(contents{"e0": {9, 1}}.snapshot())
	if _, _, known := p.Since(first.Revision); known || len(p.steps) != maxRevisions {
		t.Errorf("of %d revisions the first is still known", len(p.steps))
	}
	second := p.snapshots[1].Revision()
	if _, changes, known := p.Since(second); !known || describe(changes) != "~e0" {
		t.Errorf("the second is known: %v, changes %q", known, describe(changes))
	}
	p.steps[5].Before = make([]was, maxChanges)
	p.changes += maxChanges - 1
	p.swap(contents{"e0": {8, 1}}.snapshot())
	if p.Current(); len(p.steps) != maxRevisions-5+1 || p.changes != maxRevisions-5 {
		t.Errorf("%d revisions with %d changes are remembered", len(p.steps), p.changes)
	}
}

// BenchmarkSince asks what has changed after 10 changes of 5,000 entries.
func BenchmarkSince(b *testing.B) {
	state := contents{}
	for i := range 5000 {
		state[catalog.ID(fmt.Sprintf("entry-%04d-of-some-length", i))] = [2]int{i, 1}
	}
	p := newPast(rand.New(rand.NewPCG(1, 1)), 0)
	p.swap(state.snapshot())
	before := p.Current()
	for i := range 10 {
		state[catalog.ID(fmt.Sprintf("entry-%04d-of-some-length", 400*i))] = [2]int{i, 2}
		p.swap(state.snapshot())
	}
	for b.Loop() {
		now, changes, _ := p.Since(before.Revision)
		page, _, err := now.PageOfChanges(changes, before.Revision, 0, "")
		if err != nil || len(page.Updated) != 10 {
			b.Fatal(err, len(page.Updated))
		}
	}
}
