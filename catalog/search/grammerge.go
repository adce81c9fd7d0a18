package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A gramMerger makes the grams of one group after the other of those of the shards.
type gramMerger struct {
	texts int
	table numbering
	known []uint64    // gram and, in the lowest bits, its number
	sets  []mergedSet // by number
	data  []byte
}

type mergedSet struct {
	count uint32 // of texts
	start uint32 // in the data
	end   uint32 // where the next distance goes
	last  int32  // the text that was entered last, -1 for none; isWhole in a bitmap
}

// isWhole stands for a set that is a bitmap.
const isWhole = -2

// merge merges the grams of shards that are of the given parts. All of them have so
// many texts.
func (m *gramMerger) merge(shards []contribution, parts []part, texts int) grams {
	m.texts = texts
	m.count(shards)
	m.reserve()
	for i := range shards {
		m.enter(&shards[i].grams, parts[i].first-parts[0].first)
	}
	return m.sorted()
}

// count gives numbers to the grams.
func (m *gramMerger) count(shards []contribution) {
	m.table.reset()
	m.known, m.sets = m.known[:0], m.sets[:0]
	for i := range shards {
		gs := &shards[i].grams
		for k, g := range gs.known {
			slot := m.table.slot(uint64(g))
			if slot.number == 0 {
				m.known, m.sets = append(m.known, uint64(g)<<32|uint64(len(m.known))), append(m.sets, mergedSet{})
				slot = m.table.enter(slot, uint64(g), uint32(len(m.known)))
			}
			m.sets[slot.number-1].count += gs.count(k)
		}
	}
}

// count returns how many texts have the ith gram.
func (gs *shardGrams) count(i int) uint32 {
	set := gs.data[gs.starts[i]:gs.starts[i+1]]
	if len(set) < gs.bitmap {
		return uint32(len(set))
	}
	count := 0
	for _, w := range set {
		count += bits.OnesCount16(w)
	}
	return uint32(count)
}

// reserve makes room for as many bytes as the sets take at most.
func (m *gramMerger) reserve() {
	whole, room := bitmapBytes(m.texts), 0
	for n := range m.sets {
		set := &m.sets[n]
		set.start, set.end, set.last = uint32(room), uint32(room), -1
		most := m.mostBytes(int(set.count))
		if most >= whole {
			most, set.end, set.last = whole, set.start+uint32(whole), isWhole
		}
		room += most
	}
	m.data = slices.Grow(m.data[:0], room)[:room]
	clear(m.data)
}

// mostBytes is how many bytes the distances of so many texts take at most. Each has
// one. It has a second from 128 texts on, of which there are only so many, and so on.
func (m *gramMerger) mostBytes(count int) int {
	most := count
	for far := m.texts >> 7; far > 0; far >>= 7 {
		most += min(count, far)
	}
	return most
}

// enter enters the grams of a shard.
func (m *gramMerger) enter(gs *shardGrams, first int) {
	for k, g := range gs.known {
		to := &m.sets[m.table.slot(uint64(g)).number-1]
		set := gs.data[gs.starts[k]:gs.starts[k+1]]
		switch isBitmap := len(set) == gs.bitmap; {
		case isBitmap && to.last == isWhole:
			m.join(to, first, set)
		case isBitmap:
			for text := range eachBit(set) {
				m.enterOne(to, first+text)
			}
		default:
			for _, text := range set {
				m.enterOne(to, first+int(text))
			}
		}
	}
}

// join enters a bitmap of texts into one.
func (m *gramMerger) join(to *mergedSet, first int, set []uint16) {
	whole := m.data[int(to.start)+first/8:]
	for i, texts := range set {
		shifted := uint32(texts) << (first % 8)
		for at := 2 * i; shifted != 0; at++ {
			whole[at] |= byte(shifted)
			shifted >>= 8
		}
	}
}

func (m *gramMerger) enterOne(to *mergedSet, text int) {
	if to.last == isWhole {
		m.data[int(to.start)+text/8] |= 1 << (text % 8)
		return
	}
	distance := text - int(to.last)
	to.last = int32(text)
	if distance < 0x80 {
		m.data[to.end] = byte(distance)
		to.end++
		return
	}
	to.end += uint32(binary.PutUvarint(m.data[to.end:], uint64(distance)))
}

// sorted returns the sets in the order of their grams, without what is left over.
func (m *gramMerger) sorted() grams {
	size := uint32(0)
	for _, set := range m.sets {
		size += set.end - set.start
	}
	gs := grams{
		known: make([]gram, len(m.known)), starts: make([]uint32, len(m.known)+1), data: make([]byte, 0, size),
		texts: m.texts,
	}
	slices.Sort(m.known)
	for i, known := range m.known {
		set := m.sets[uint32(known)]
		gs.known[i], gs.starts[i] = gram(known>>32), uint32(len(gs.data))
		gs.data = append(gs.data, m.data[set.start:set.end]...)
	}
	gs.starts[len(m.known)] = size
	return gs
}
