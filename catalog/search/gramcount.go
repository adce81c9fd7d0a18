package search

import (
	"iter"
	"math/bits"
	"slices"
)

// shardGrams hold in which texts of a shard each gram occurs: as positions, or as a
// bitmap where that is no longer.
type shardGrams struct {
	known  []gram   // without an order
	starts []uint32 // where in data each begins, and where the last ends
	data   []uint16
	bitmap int // length of a bitmap in data; lists are shorter
}

// A gramNumber is that of a gram in a shard. Pairs of bytes come first, each under
// the number that it is, then single bytes, then the grams of three bytes, from 1 on
// in the order in which they appear.
type gramNumber uint32

const (
	firstSingle gramNumber = 1 << 16
	lastSingle  gramNumber = firstSingle + 1<<8 - 1
)

// A gramCounter collects the grams of one shard after the other.
type gramCounter struct {
	met    [1 << 16]uint32 // in which text each pair was met last
	text   uint32          // the number of the present text, over all shards
	table  numbering       // of the grams of three bytes
	threes []gram          // those
	counts []uint32        // in how many texts of the shard; by number
	found  []gramNumber    // of each text its grams, each once
	ends   []uint32        // where in found each text ends
	three  []uint32        // scratch
}

// collect returns the grams of the shard's texts, in the memory of others.
func (c *gramCounter) collect(d *draft, used shardGrams) shardGrams {
	c.table.reset()
	c.found, c.ends, c.threes = c.found[:0], c.ends[:0], c.threes[:0]
	c.counts = slices.Grow(c.counts[:0], int(lastSingle)+1)[:lastSingle+1]
	clear(c.counts)
	for i := range d.len() {
		c.text++
		c.collectOne(d.at(d.title(i)), d.at(d.body(i)))
		c.ends = append(c.ends, uint32(len(c.found)))
	}
	return c.arrange(d.len(), used)
}

// collectOne collects the grams of one text.
func (c *gramCounter) collectOne(title, body []byte) {
	var single [4]uint64 // bitmap of bytes
	start := len(c.found)
	for _, field := range [...][]byte{title, body} {
		if len(field) > 0 {
			c.meetPairs(field)
			last := field[len(field)-1] // begins no pair
			single[last/64] |= 1 << (last % 64)
		}
	}
	for _, pair := range c.found[start:] {
		single[pair>>14] |= 1 << (pair >> 8 & 63)
	}
	for i, word := range single {
		for ; word != 0; word &= word - 1 {
			c.found = append(c.found, firstSingle+gramNumber(i*64+bits.TrailingZeros64(word)))
		}
	}
	c.meetThrees(title)
	c.meetThrees(body)
	for _, number := range c.found[start:] {
		c.counts[number]++
	}
}

// meetPairs finds the pairs of a title or a body that are new in the text. It decides
// nothing by branches, which nobody could predict: every other pair is new.
func (c *gramCounter) meetPairs(text []byte) {
	c.found = slices.Grow(c.found, len(text))
	free := c.found[len(c.found):][:len(text)]
	last, n := text[0], 0
	for _, b := range text[1:] {
		pair := uint16(last)<<8 | uint16(b)
		free[n] = gramNumber(pair)
		isNew := 0
		if c.met[pair] != c.text {
			isNew = 1
		}
		c.met[pair] = c.text
		n += isNew
		last = b
	}
	c.found = c.found[:len(c.found)+n]
}

// meetThrees finds the grams of three bytes that are new in the text.
func (c *gramCounter) meetThrees(text []byte) {
	if len(text) < 3 {
		return
	}
	threes := c.separated(text)
	c.found = slices.Grow(c.found, len(threes))
	free := c.found[len(c.found):][:len(threes)]
	n := 0
	for _, three := range threes {
		slot := c.table.slot(uint64(three))
		if slot.number == 0 {
			slot = c.table.enter(slot, uint64(three), uint32(len(c.threes)+1))
			c.threes, c.counts = append(c.threes, threeBytes|gram(three)), append(c.counts, 0)
		}
		free[n] = lastSingle + gramNumber(slot.number)
		isNew := 0
		if slot.latest != c.text {
			isNew = 1
		}
		slot.latest = c.text
		n += isNew
	}
	c.found = c.found[:len(c.found)+n]
}

// separated returns each three bytes of text of which one separates words.
func (c *gramCounter) separated(text []byte) []uint32 {
	c.three = slices.Grow(c.three[:0], len(text))[:len(text)]
	three := uint32(text[0])<<8 | uint32(text[1])
	separators := separates[text[0]]<<1 | separates[text[1]]
	n := 0
	for _, b := range text[2:] {
		three, separators = three<<8&0xFFFFFF|uint32(b), separators<<1&7|separates[b]
		c.three[n] = three
		n += int(0xFE >> separators & 1)
	}
	return c.three[:n]
}

// gram returns the gram of a number.
func (c *gramCounter) gram(n gramNumber) gram {
	switch {
	case n < firstSingle:
		return twoBytes | gram(n)
	case n <= lastSingle:
		return oneByte | gram(n-firstSingle)
	}
	return c.threes[n-lastSingle-1]
}

// arrange sorts what was found by gram.
func (c *gramCounter) arrange(texts int, used shardGrams) shardGrams {
	gs := shardGrams{known: used.known[:0], starts: used.starts[:0], bitmap: (texts + 15) / 16}
	var start uint32
	for n, count := range c.counts {
		if count == 0 {
			continue
		}
		gs.known, gs.starts = append(gs.known, c.gram(gramNumber(n))), append(gs.starts, start)
		c.counts[n] = start // from here on, where its next position goes
		if start += min(count, uint32(gs.bitmap)); int(count) >= gs.bitmap {
			c.counts[n] |= isBitmap
		}
	}
	gs.starts = append(gs.starts, start)
	gs.data = slices.Grow(used.data[:0], int(start))[:start]
	clear(gs.data)
	c.fill(&gs)
	return gs
}

// fill enters the positions of the texts.
func (c *gramCounter) fill(gs *shardGrams) {
	start := uint32(0)
	for text, end := range c.ends {
		for _, n := range c.found[start:end] {
			if at := c.counts[n]; at&isBitmap != 0 {
				gs.data[at&^isBitmap+uint32(text/16)] |= 1 << (text % 16)
			} else {
				gs.data[at] = uint16(text)
				c.counts[n]++
			}
		}
		start = end
	}
}

// isBitmap marks the start of a bitmap among those of lists.
const isBitmap = 1 << 31

// eachBit returns the positions of the bits that are set.
func eachBit(bitmap []uint16) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range bitmap {
			for ; word != 0; word &= word - 1 {
				if !yield(16*i + bits.TrailingZeros16(word)) {
					return
				}
			}
		}
	}
}
