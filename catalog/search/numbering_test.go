package search

import (
	"fmt"
	"testing"
)

// Keys that differ in few bits, whichever, must not go to few slots: words may have
// their beginning in common, or their end.
func TestKeysGoToManySlots(t *testing.T) {
	t.Parallel()
	const keys = 1 << 10
	for shift := 0; shift <= 48; shift += 8 {
		table := numbering{spread: 0x9E3779B97F4A7C15}
		table.reset()
		homes := map[uint64]bool{}
		for i := range uint64(keys) {
			key := i<<shift | 1<<63
			table.enter(table.slot(key), key, uint32(i+1))
		}
		for i := range uint64(keys) {
			key := i<<shift | 1<<63
			homes[table.home(key)] = true
			if got := table.slot(key).number; got != uint32(i+1) {
				t.Fatalf("%x is %d, want %d", key, got, i+1)
			}
		}
		if len(homes) < keys/2 {
			t.Errorf("%d keys that differ in ten bits from bit %d on go to %d slots", keys, shift, len(homes))
		}
	}
}

// Long tokens of the same hash are told apart.
func TestTokensOfTheSameHash(t *testing.T) {
	t.Parallel()
	const length = 16
	text := ""
	for i := range 5 {
		text += fmt.Sprintf("%0*d ", length, i%3)
	}
	kept := textsOf([]Text{{Body: text}})
	var d draft
	d.fold(&kept, &shard{}, 1)
	var c tokenCounter
	c.reset(&d)
	for at := 0; at < len(text); at += length + 1 {
		c.meet(0, at, length, 1<<8)
	}
	if got, want := len(c.seen), 1+3; got != want {
		t.Errorf("%d tokens are told apart, want %d", got-1, want-1)
	}
	for _, seen := range c.seen[1:] {
		if seen.texts != 1 {
			t.Errorf("%q is in %d texts, want 1", d.at(seen.place), seen.texts)
		}
	}
}
