package search

import "slices"

const (
	// bitsPerByte is how much filter a byte of text gets. Prose, with its joints,
	// sets three filter bits in ten.
	bitsPerByte = 3

	// filteredBytes is how many leading bytes of a query the filters see.
	filteredBytes = 32

	gramBytes = 3
)

// A trigram is the hash of three neighbouring bytes, spread over 32 bits
// (multiplicative hashing, Knuth, The Art of Computer Programming, vol. 3, 6.4).
type trigram uint64

func hashTrigram(threeBytes uint32) trigram {
	return trigram(threeBytes * 0x9E3779B1)
}

// A joint is a blank with the two bytes before it and the two behind it. Two words
// that are common have their trigrams in many pieces, but seldom beside each other.
// Signatures hold it as two trigrams, since it is one alone that has to tell.
type joint uint32

// jointAt returns that of the blank at a place from 2 on.
func jointAt(text []byte, blank int) joint {
	return joint(text[blank-2]) | joint(text[blank-1])<<8 | joint(text[blank+1])<<16 | joint(text[blank+2])<<24
}

func (j joint) first() trigram  { return trigram(j * 0x9E3779B1) }
func (j joint) second() trigram { return trigram(j * 0x85EBCA6B) }

// mostGrams is how many a query has at most: each of its bytes but two begins one,
// and each but four may be the blank of a joint.
const mostGrams = 3 * filteredBytes

// trigramsOf returns the trigrams of the first filteredBytes bytes of text, those of
// joints first: they reject most.
func trigramsOf(text []byte) []trigram {
	text = text[:min(len(text), filteredBytes)]
	grams := make([]trigram, 0, filteredBytes)
	for at := 2; at+2 < len(text); at++ {
		if text[at] == ' ' {
			grams = append(grams, jointAt(text, at).first(), jointAt(text, at).second())
		}
	}
	for ; len(text) >= gramBytes; text = text[1:] {
		grams = append(grams, hashTrigram(uint32(text[0])<<16|uint32(text[1])<<8|uint32(text[2])))
	}
	return grams
}

// Signatures are Bloom filters of trigrams with one hash function, stored
// bit-sliced: row b holds bit b of every column's filter, 64 columns to a word.
type signatures struct {
	rows   []uint64 // height rows of width words
	height uint64
	width  int
}

// newSignatures makes empty filters for so many columns that together hold so
// many bytes of text.
func newSignatures(columns, bytes int) signatures {
	width := (columns + 63) / 64
	if width == 0 {
		return signatures{}
	}
	height := max(1, bytes*bitsPerByte/(width*64))
	return signatures{make([]uint64, height*width), uint64(height), width}
}

// add enters the trigrams and the joints of text into a column. It returns the
// scratch that it is given, for the next.
func (s *signatures) add(column int, text []byte, blanks []uint32) []uint32 {
	if len(text) < gramBytes {
		return blanks
	}
	rows, width := s.rows[column/64:], uint64(s.width)
	bit := uint64(1) << (column % 64)
	three := uint32(text[0])<<8 | uint32(text[1])
	blanks = slices.Grow(blanks[:0], len(text))[:len(text)]
	found := 0
	for i, c := range text[2:] {
		three = three<<8&0xFFFFFF | uint32(c)
		rows[s.row(hashTrigram(three))*width] |= bit
		blanks[found] = uint32(i) + 2
		if c == ' ' { // no branch, which nobody could predict
			found++
		}
	}
	for _, blank := range blanks[:found] {
		if int(blank)+2 < len(text) {
			j := jointAt(text, int(blank))
			rows[s.row(j.first())*width] |= bit
			rows[s.row(j.second())*width] |= bit
		}
	}
	return blanks
}

// locate appends where the rows of grams begin.
func (s *signatures) locate(rows []int, grams []trigram) []int {
	for _, g := range grams {
		rows = append(rows, int(s.row(g))*s.width)
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

// row scales a trigram's 32 bits to the height.
func (s *signatures) row(g trigram) uint64 { return uint64(g) * s.height >> 32 }
