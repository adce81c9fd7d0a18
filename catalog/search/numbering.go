package search

import (
	"math/bits"
	"math/rand/v2"
)

// A numbering gives numbers to keys: tokens, grams or clusters. It is a hash table
// with open addressing, no more than half full, and stays as large as the last shard
// needed it.
type numbering struct {
	slots []numberedKey
	used  int

	// spread multiplies a key: its highest bits then depend on all of the key's, and
	// say where it goes (Knuth, The Art of Computer Programming, vol. 3, 6.4). It is
	// odd and drawn by lot, or a text could be written whose words all go to one slot.
	spread uint64
	shift  int // leaves as many of the highest bits as number the slots
}

type numberedKey struct {
	key    uint64
	number uint32 // from 1 on; 0 in a free slot
	latest uint32 // the last text that has the key, counted from 1; for whoever counts texts
}

// reset empties the table.
func (t *numbering) reset() {
	if t.spread == 0 {
		t.spread = rand.Uint64() | 1
	}
	const fewest = 512
	size := max(fewest, 1<<bits.Len(uint(2*t.used)))
	if size > cap(t.slots) {
		t.slots = make([]numberedKey, size)
	}
	t.slots, t.used, t.shift = t.slots[:size], 0, shiftFor(size)
	clear(t.slots)
}

// shiftFor returns the shift of a table of so many slots, a power of two.
func shiftFor(slots int) int { return 64 - bits.TrailingZeros(uint(slots)) }

// home returns where a key goes if that slot is free.
func (t *numbering) home(key uint64) uint64 { return key * t.spread >> (t.shift & 63) }

// slot returns the slot of a key, or the free one in which it is to be entered.
func (t *numbering) slot(key uint64) *numberedKey {
	mask := uint64(len(t.slots) - 1)
	for at := t.home(key); ; at++ {
		if slot := &t.slots[at&mask]; slot.key == key || slot.number == 0 {
			return slot
		}
	}
}

// enter puts a key into a free slot, and returns that which it has then.
func (t *numbering) enter(free *numberedKey, key uint64, number uint32) *numberedKey {
	*free = numberedKey{key: key, number: number}
	if t.used++; 2*t.used <= len(t.slots) {
		return free
	}
	before := t.slots
	t.slots = make([]numberedKey, 2*len(before))
	t.shift = shiftFor(len(t.slots))
	for _, s := range before {
		if s.number != 0 {
			*t.slot(s.key) = s
		}
	}
	return t.slot(key)
}
