package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// After any change, Next yields the same snapshot as NewSnapshot does from the same
// entries.
func TestNextIsAsNew(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	before := NewSnapshot(nil, nil)
	var entries []*Entry
	for round := range 200 {
		if n := len(entries); n > 0 && rnd.IntN(3) == 0 {
			entries = slices.Clone(entries[rnd.IntN(n):])
		}
		for range rnd.IntN(20) {
			id := ID(fmt.Sprintf("e%d", rnd.IntN(50))) // some ids occur twice
			e := NewEntry(Instruction{ID: id, Title: "T", Body: fmt.Sprint(rnd.Uint64())}, Origin{Path: fmt.Sprintf("%d.md", rnd.Uint64())})
			entries = append(entries, e)
		}
		rnd.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		next, fresh := before.Next(entries, nil), NewSnapshot(entries, nil)
		if next.Hash() != fresh.Hash() || len(next.Entries()) != len(fresh.Entries()) || len(next.Diagnostics()) != len(fresh.Diagnostics()) {
			t.Fatalf("round %d: got %d entries, want %d", round, len(next.Entries()), len(fresh.Entries()))
		}
		for _, e := range fresh.Entries() {
			if got, ok := next.Get(string(e.ID)); !ok || got.Origin.Path != e.Origin.Path {
				t.Fatalf("round %d: %s is not the same", round, e.ID)
			}
		}
		before = next
	}
}
