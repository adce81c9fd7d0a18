package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainDiff is a reference implementation of [Snapshot.Diff] with maps.
func plainDiff(entries []*Entry, known []Known) string {
	first, served := map[ID]Fingerprint{}, map[ID]bool{}
	var c Changes
	for _, k := range known {
		if _, twice := first[k.ID]; !twice {
			first[k.ID] = k.SourceHash
		}
	}
	for _, e := range entries {
		served[e.ID] = true
		switch hash, ok := first[e.ID]; {
		case !ok:
			c.Added = append(c.Added, e)
		case hash != e.SourceHash:
			c.Updated = append(c.Updated, e)
		}
	}
	for id := range first {
		if !served[id] {
			c.Removed = append(c.Removed, id)
		}
	}
	slices.Sort(c.Removed)
	return describe(c)
}

// TestDiffIsThePlainOne compares Diff with plainDiff for random catalogs and random
// clients. Clients send their records in order, with gaps, unknown ids and repetitions,
// and out of order.
func TestDiffIsThePlainOne(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var entries []*Entry
		var known []Known
		for i := range random.IntN(30) {
			e := entry(ID(fmt.Sprintf("e%02d", i)))
			hash := e.SourceHash
			if random.IntN(5) > 0 {
				entries = append(entries, e)
			}
			for ; random.IntN(5) > 0 && len(known) < 60; hash = "old" {
				known = append(known, Known{ID: e.ID, SourceHash: hash})
				if random.IntN(4) > 0 {
					break
				}
			}
		}
		s := NewSnapshot(entries, nil)
		for range 3 {
			want := plainDiff(s.Entries(), known)
			if got := describe(s.Diff(known)); got != want {
				t.Fatalf("of %v the diff is %s, want %s", known, got, want)
			}
			for range random.IntN(4) * len(known) / 4 {
				i, j := random.IntN(len(known)), random.IntN(len(known))
				known[i], known[j] = known[j], known[i]
			}
			for i := range known {
				if random.IntN(8) == 0 {
					known[i].SourceHash = "older"
				}
			}
		}
	}
}

// TestDiffByEntryHash checks that Diff compares the entryHash if it is known, and
// ignores the sourceHash.
func TestDiffByEntryHash(t *testing.T) {
	t.Parallel()
	before, after := entry("a"), entry("a", func(d *draft) { d.Priority++ })
	s := NewSnapshot([]*Entry{after}, nil)
	for name, test := range map[string]struct {
		known Known
		want  string
	}{
		"by sourceHash":       {Known{ID: "a", SourceHash: before.SourceHash}, ""},
		"another entryHash":   {Known{ID: "a", SourceHash: before.SourceHash, EntryHash: before.Hash()}, "~a"},
		"the entryHash":       {Known{ID: "a", SourceHash: before.SourceHash, EntryHash: after.Hash()}, ""},
		"the entryHash alone": {Known{ID: "a", EntryHash: after.Hash()}, ""},
	} {
		if got := describe(s.Diff([]Known{test.known})); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// BenchmarkDiff measures Diff for a client with 5,000 entries, in order and in reverse
// order.
func BenchmarkDiff(b *testing.B) {
	var entries []*Entry
	var known []Known
	for i := range 5000 {
		e := entry(ID(fmt.Sprintf("entry-%04d-of-some-length", i)))
		entries, known = append(entries, e), append(known, Known{ID: e.ID, SourceHash: e.SourceHash})
	}
	s := NewSnapshot(entries, nil)
	for _, order := range []string{"in order", "backwards"} {
		b.Run(order, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !s.Diff(known).Empty() {
					b.Fatal("something changed")
				}
			}
		})
		slices.Reverse(known)
	}
}
