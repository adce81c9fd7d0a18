package search

import "slices"

const (
	// bitsPerByte is how much filter a byte of text gets. Prose sets a third of it.
	bitsPerByte = 3

	// filteredBytes is how many leading bytes of a query the filters see.
	filteredBytes = 32

	// keyBytes is how many bytes a key is made of where one of them separates words,
	// and runBytes where none does.
	keyBytes = 4
	runBytes = 3
)

// A key is the hash of some neighbouring bytes, spread over 32 bits (multiplicative
// hashing, Knuth, The Art of Computer Programming, vol. 3, 6.4).
type key uint64

// firstKey and secondKey are of the same bytes, the last of them in the lowest.
func firstKey(bytes uint32) key  { return key(bytes * 0x9E3779B1) }
func secondKey(bytes uint32) key { return key(bytes * 0x85EBCA6B) }

// mostKeys is how many a query has at most.
const mostKeys = 2 * (filteredBytes - keyBytes + 1)

// keysOf returns the keys by which signatures know a query. Of one with bytes that
// separate words these are two of each four bytes with such a one; of another, one
// of each three bytes.
func keysOf(text []byte) []key {
	run := isRun(text)
	text = text[:min(len(text), filteredBytes)]
	keys := make([]key, 0, mostKeys)
	for ; run && len(text) >= runBytes; text = text[1:] {
		keys = append(keys, firstKey(uint32(text[0])<<16|uint32(text[1])<<8|uint32(text[2])))
	}
	for ; len(text) >= keyBytes; text = text[1:] {
		if !isRun(text[:keyBytes]) {
			four := uint32(text[0])<<24 | uint32(text[1])<<16 | uint32(text[2])<<8 | uint32(text[3])
			keys = append(keys, firstKey(four), secondKey(four))
		}
	}
	return keys
}

// Signatures are Bloom filters of keys, stored bit-sliced: row b holds bit b of every
// column's filter, 64 columns to a word.
type signatures struct {
	rows   []uint64 // height rows of width words
	height uint64
	width  int
}

// newSignatures makes empty filters of so many bits for so many columns.
func newSignatures(columns, bits int) signatures {
	width := (columns + 63) / 64
	if width == 0 {
		return signatures{}
	}
	height := max(1, bits/(width*64))
	return signatures{make([]uint64, height*width), uint64(height), width}
}

// addSeparated enters the keys of text that have a byte which separates words. It
// returns the scratch that it is given, for the next.
func (s *signatures) addSeparated(column int, text []byte, scratch []uint32) []uint32 {
	if len(text) < keyBytes {
		return scratch
	}
	scratch = slices.Grow(scratch[:0], len(text))[:len(text)]
	found := 0
	four := uint32(text[0])<<16 | uint32(text[1])<<8 | uint32(text[2])
	separators := separates[text[0]]<<2 | separates[text[1]]<<1 | separates[text[2]]
	for _, c := range text[keyBytes-1:] {
		four, separators = four<<8|uint32(c), separators<<1&(1<<keyBytes-1)|separates[c]
		scratch[found] = four
		found += int(0xFFFE >> separators & 1) // but for none; no branch, which nobody could predict
	}
	for _, four := range scratch[:found] {
		s.set(column, firstKey(four))
		s.set(column, secondKey(four))
	}
	return scratch
}

// addRuns enters the keys of text without such a byte.
func (s *signatures) addRuns(column int, text []byte) {
	var three, separators uint32
	for i, c := range text {
		three, separators = three<<8&0xFFFFFF|uint32(c), separators<<1|separates[c]
		if i >= runBytes-1 && separators&(1<<runBytes-1) == 0 {
			s.set(column, firstKey(three))
		}
	}
}

func (s *signatures) set(column int, k key) {
	s.rows[int(s.row(k))*s.width+column/64] |= 1 << (column % 64)
}

// locate appends where the rows of keys begin.
func (s *signatures) locate(rows []int, keys []key) []int {
	for _, k := range keys {
		rows = append(rows, int(s.row(k))*s.width)
	}
	return rows
}

// candidates returns which of the 64 columns of a word have all rows set, the
// lowest column in the lowest bit.
func (s *signatures) candidates(word int, rows []int) uint64 {
	left := ^uint64(0)
	for _, row := range rows {
		if left &= s.rows[row+word]; left == 0 {
			break
		}
	}
	return left
}

// row scales the 32 bits of a key to the height.
func (s *signatures) row(k key) uint64 { return uint64(k) * s.height >> 32 }
