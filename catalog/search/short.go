package search

import (
	"iter"
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
	met    [1 << 16]uint32       // in which text each pair was met last
	text   uint32                // the number of the present text, over all shards
	counts [allGrams]uint32      // in how many texts of the shard
	known  [allGrams / 64]uint64 // bitmap of those that occur in the shard
	found  []uint16              // of each text its pairs, and then its bytes, each once
	ends   []gramEnds            // of each text
}

// gramEnds say where in what is found the pairs of a text end, and its bytes.
type gramEnds struct{ pairs, bytes uint32 }

// collect returns the grams of the shard's texts.
func (c *gramCounter) collect(d *draft) grams {
	c.found, c.ends = c.found[:0], c.ends[:0]
	for i := range d.len() {
		c.text++
		var single [4]uint64 // bitmap of bytes
		start := len(c.found)
		c.meet(d.at(d.title(i)), &single)
		c.meet(d.at(d.body(i)), &single)
		pairs := len(c.found)
		for _, pair := range c.found[start:] {
			c.count(gram(pair))
			single[pair>>14] |= 1 << (pair >> 8 & 63)
		}
		for i, word := range single {
			for ; word != 0; word &= word - 1 {
				b := i*64 + bits.TrailingZeros64(word)
				c.count(oneByte | gram(b))
				c.found = append(c.found, uint16(b))
			}
		}
		c.ends = append(c.ends, gramEnds{uint32(pairs), uint32(len(c.found))})
	}
	return c.arrange(d.len())
}

// meet finds the pairs of a title or a body that are new in the text, and its last
// byte, which begins no pair. It decides nothing by branches, which nobody could
// predict: every other pair is new.
func (c *gramCounter) meet(text []byte, single *[4]uint64) {
	if len(text) == 0 {
		return
	}
	c.found = slices.Grow(c.found, len(text))
	free := c.found[len(c.found):][:len(text)]
	last, n := text[0], 0
	for _, b := range text[1:] {
		pair := uint16(last)<<8 | uint16(b)
		free[n] = pair
		isNew := 0
		if c.met[pair] != c.text {
			isNew = 1
		}
		c.met[pair] = c.text
		n += isNew
		last = b
	}
	single[last/64] |= 1 << (last % 64)
	c.found = c.found[:len(c.found)+n]
}

func (c *gramCounter) count(g gram) {
	c.counts[g]++
	c.known[g/64] |= 1 << (g % 64)
}

// arrange sorts what was found by gram and leaves the counter ready for the next
// shard.
func (c *gramCounter) arrange(texts int) grams {
	gs := grams{bitmap: (texts + 15) / 16}
	known, length := 0, 0
	for g := range c.each() {
		known++
		length += min(int(c.counts[g]), gs.bitmap)
	}
	gs.known, gs.starts, gs.data = make([]gram, 0, known), make([]uint32, 0, known+1), make([]uint16, length)
	var start uint32
	for g := range c.each() {
		gs.known, gs.starts = append(gs.known, g), append(gs.starts, start)
		count := c.counts[g]
		c.counts[g] = start // from here on, where its next position goes
		if start += min(count, uint32(gs.bitmap)); int(count) >= gs.bitmap {
			c.counts[g] |= isBitmap
		}
	}
	gs.starts = append(gs.starts, start)
	c.fill(&gs)
	for _, g := range gs.known {
		c.counts[g] = 0
	}
	clear(c.known[:])
	return gs
}

// each returns the grams of the shard, ascending.
func (c *gramCounter) each() iter.Seq[gram] {
	return func(yield func(gram) bool) {
		for i, word := range c.known {
			for ; word != 0; word &= word - 1 {
				if !yield(gram(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// fill enters the positions of the texts.
func (c *gramCounter) fill(gs *grams) {
	start := uint32(0)
	for text, ends := range c.ends {
		for _, pair := range c.found[start:ends.pairs] {
			c.enter(gs, gram(pair), text)
		}
		for _, b := range c.found[ends.pairs:ends.bytes] {
			c.enter(gs, oneByte|gram(b), text)
		}
		start = ends.bytes
	}
}

func (c *gramCounter) enter(gs *grams, g gram, text int) {
	if at := c.counts[g]; at&isBitmap != 0 {
		gs.data[at&^isBitmap+uint32(text/16)] |= 1 << (text % 16)
	} else {
		gs.data[at] = uint16(text)
		c.counts[g]++
	}
}

// isBitmap marks the start of a bitmap among those of lists.
const isBitmap = 1 << 31
