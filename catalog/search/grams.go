package search

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A gram is one byte of a text, two neighbouring ones, or three of which one at
// least separates words. An index says of every text and every gram whether the one
// has the other.
type gram uint32

// gramOf returns the gram that one to three bytes are: in the lowest bits they
// themselves, above them their number.
func gramOf(text []byte) gram {
	g := gram(len(text)) << 24
	for i, c := range text {
		g |= gram(c) << (8 * (len(text) - 1 - i))
	}
	return g
}

const (
	oneByte    gram = 1 << 24
	twoBytes   gram = 2 << 24
	threeBytes gram = 3 << 24
)

// gramsOf returns the grams of three bytes in a text, each once, and no more than so
// many.
func gramsOf(text []byte, most int) []gram {
	var all []gram
	for ; len(text) >= 3 && len(all) < most; text = text[1:] {
		if g := gramOf(text[:3]); !isRun(text[:3]) && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	return all
}

// grams hold in which texts of a group each gram occurs.
type grams struct {
	known  []gram   // those that occur, ascending
	starts []uint32 // where in data the set of each begins, and where the last ends
	data   []byte
	texts  int // in the group
}

// A gramSet is a bitmap of texts, as little-endian words of 64 bits; or, where that
// is shorter, the distance of each text from the one before, as unsigned varints, of
// the first from the place before all.
type gramSet []byte

// bitmapBytes is the length of a gramSet that is a bitmap of so many texts.
func bitmapBytes(texts int) int { return 8 * bitmapWords(texts) }

// set returns the texts that have g, nil where none has.
func (gs *grams) set(g gram) gramSet {
	i, ok := slices.BinarySearch(gs.known, g)
	if !ok {
		return nil
	}
	return gs.data[gs.starts[i]:gs.starts[i+1]]
}

// enter enters the texts of a set into a bitmap.
func (gs *grams) enter(texts bitmap, set gramSet) {
	if len(set) == bitmapBytes(gs.texts) {
		for i := range texts {
			texts[i] |= binary.LittleEndian.Uint64(set[8*i:])
		}
		return
	}
	for text := -1; len(set) > 0; {
		distance, size := uint64(set[0]), 1
		if distance >= 0x80 {
			distance, size = binary.Uvarint(set)
		}
		text, set = text+int(distance), set[size:]
		texts.set(text)
	}
}

// enough is how many sets are joined at most to find the texts that may have a
// query: the smallest ones.
const enough = 8

// having returns a bitmap of the texts that have all of some grams, nil where none
// has.
func (gs *grams) having(all []gram) bitmap {
	sets := make([]gramSet, len(all))
	for i, g := range all {
		if sets[i] = gs.set(g); sets[i] == nil {
			return nil
		}
	}
	slices.SortFunc(sets, func(a, b gramSet) int { return cmp.Compare(len(a), len(b)) })
	left, next := newBitmap(gs.texts), newBitmap(gs.texts)
	gs.enter(left, sets[0])
	for _, set := range sets[1:min(len(sets), enough)] {
		clear(next)
		gs.enter(next, set)
		left.keep(next)
	}
	return left
}
