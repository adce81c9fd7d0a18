package search

import (
	"iter"
	"math/bits"
	"sync/atomic"
)

// Matches are the texts that a search found: positions, each once, without an
// order of their own.
type Matches struct {
	words []uint64 // bit i of word w stands for the text 64w+i
}

func newMatches(texts int) *Matches { return &Matches{make([]uint64, (texts+63)/64)} }

// add enters matches among neighbouring texts, the first of which is at a
// position. Others may do so at the same time.
func (m *Matches) add(first int, found bitmap) {
	at, shift := first/64, first%64
	for i, word := range found {
		m.addWord(at+i, word<<shift)
		m.addWord(at+i+1, word>>(64-shift)) // nothing where shift is 0
	}
}

func (m *Matches) addWord(at int, found uint64) {
	if found != 0 {
		atomic.OrUint64(&m.words[at], found)
	}
}

// allMatches are all of so many texts.
func allMatches(texts int) *Matches {
	m := newMatches(texts)
	for i := range m.words {
		m.words[i] = ^uint64(0)
	}
	if rest := texts % 64; rest != 0 {
		m.words[len(m.words)-1] = 1<<rest - 1
	}
	return m
}

// Count returns how many there are.
func (m *Matches) Count() int {
	count := 0
	for _, w := range m.words {
		count += bits.OnesCount64(w)
	}
	return count
}

// From returns the positions from first on, ascending.
func (m *Matches) From(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := max(first, 0)
		for at := first / 64; at < len(m.words); at++ {
			left := m.words[at]
			if at == first/64 {
				left &= ^uint64(0) << (first % 64)
			}
			for ; left != 0; left &= left - 1 {
				if !yield(at*64 + bits.TrailingZeros64(left)) {
					return
				}
			}
		}
	}
}
