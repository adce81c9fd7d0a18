package search

import (
	"math/bits"
	"slices"
)

// A gram is one byte or two neighbouring ones. It is short, so that an index can
// say of every text and every gram whether the one has the other: queries of one
// or two bytes are answered without a look at the texts.
type gram uint32

func gramOf(text []byte) gram {
	if len(text) == 1 {
		return oneByte | gram(text[0])
	}
	return gram(text[0])<<8 | gram(text[1])
}

const (
	oneByte  gram = 1 << 16
	allGrams      = 1<<16 + 1<<8
)

// grams hold in which texts of a shard each gram occurs: as a list of positions,
// or as a bitmap where that is shorter.
type grams struct {
	known  []gram   // those that occur, ascending
	starts []uint32 // where in data each begins, and where the last ends
	data   []uint16
	bitmap int // length of a bitmap in data; lists are shorter
}

// each calls yield with the positions, ascending and from first on, of the texts
// that have g, until it returns false.
func (gs *grams) each(g gram, first int, yield func(int) bool) {
	i, ok := slices.BinarySearch(gs.known, g)
	if !ok {
		return
	}
	where := gs.data[gs.starts[i]:gs.starts[i+1]]
	if len(where) == gs.bitmap {
		eachBit(where, first, yield)
		return
	}
	for _, text := range where {
		if int(text) >= first && !yield(int(text)) {
			return
		}
	}
}

func eachBit(bitmap []uint16, first int, yield func(int) bool) {
	for i := first / 16; i < len(bitmap); i++ {
		left := bitmap[i]
		if i == first/16 {
			left &= ^uint16(0) << (first % 16)
		}
		for ; left != 0; left &= left - 1 {
			if !yield(i*16 + bits.TrailingZeros16(left)) {
				return
			}
		}
	}
}

// A gramCounter collects the grams of one shard after the other.
type gramCounter struct {
	met    [allGrams]uint32 // in which text each gram was met last
	text   uint32           // the number of the present text, over all shards
	counts [allGrams]uint32 // in how many texts of the shard
	found  []occurrence
}

// An occurrence is a gram and, in the lowest 15 bits, the position of a text.
type occurrence uint32

const positionBits = 15

// collect returns the grams of the shard's texts.
func (c *gramCounter) collect(d *draft) grams {
	c.found = c.found[:0]
	for i := range d.len() {
		c.text++
		c.meet(i, d.at(d.title(i)))
		c.meet(i, d.at(d.body(i)))
	}
	return c.arrange(d.len())
}

// meet counts the grams of a title or a body. Only where a pair is new may its
// first byte be.
func (c *gramCounter) meet(position int, text []byte) {
	if len(text) == 0 {
		return
	}
	last := gram(text[0])
	for _, b := range text[1:] {
		pair := last<<8 | gram(b)
		if c.met[pair] != c.text {
			c.meetOne(position, pair)
			c.meetOne(position, oneByte|last)
		}
		last = gram(b)
	}
	c.meetOne(position, oneByte|last)
}

func (c *gramCounter) meetOne(position int, g gram) {
	if c.met[g] != c.text {
		c.met[g] = c.text
		c.counts[g]++
		c.found = append(c.found, occurrence(g)<<positionBits|occurrence(position))
	}
}

// arrange sorts what was found by gram and leaves the counter ready for the next
// shard.
func (c *gramCounter) arrange(texts int) grams {
	gs := grams{bitmap: (texts + 15) / 16}
	known, length := 0, 0
	for _, count := range c.counts {
		if count > 0 {
			known++
			length += min(int(count), gs.bitmap)
		}
	}
	gs.known, gs.starts, gs.data = make([]gram, 0, known), make([]uint32, 0, known+1), make([]uint16, length)
	var start uint32
	for g, count := range c.counts {
		if count > 0 {
			gs.known, gs.starts = append(gs.known, gram(g)), append(gs.starts, start)
			c.counts[g] = start // from here on, where its next position goes
			if start += min(count, uint32(gs.bitmap)); int(count) >= gs.bitmap {
				c.counts[g] |= isBitmap
			}
		}
	}
	gs.starts = append(gs.starts, start)
	for _, o := range c.found {
		g, text := o>>positionBits, o&(1<<positionBits-1)
		if at := c.counts[g]; at&isBitmap != 0 {
			gs.data[at&^isBitmap+uint32(text/16)] |= 1 << (text % 16)
		} else {
			gs.data[at] = uint16(text)
			c.counts[g]++
		}
	}
	for _, g := range gs.known {
		c.counts[g] = 0
	}
	return gs
}

// isBitmap marks the start of a bitmap among those of lists.
const isBitmap = 1 << 31
