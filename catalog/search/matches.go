package search

import (
	"iter"
	"math/bits"
	"sync/atomic"
)

// Matches are the texts that a search found: positions, each once, without an
// order of their own.
type Matches struct {
	words []uint64 // bit i of word w stands for the text 64w+i; nil until something is found
	texts int      // of how many
}

func newMatches(texts int) *Matches { return &Matches{texts: texts} }

// reserve makes room for what is found. What is nowhere takes none: of a million
// texts it would be as much as the answer to many a search.
func (m *Matches) reserve() {
	if m.words == nil {
		m.words = make([]uint64, bitmapWords(m.texts))
	}
}

// bitmapWords is the length of a bitmap of so many texts.
func bitmapWords(texts int) int { return (texts + 63) / 64 }

// add enters matches in one word. Others may do so at the same time.
func (m *Matches) add(word int, found uint64) {
	if found != 0 { // else there may be no such word
		atomic.OrUint64(&m.words[word], found)
	}
}

// addFrom enters those of a word of which the lowest bit stands for a text.
func (m *Matches) addFrom(text int, found uint64) {
	m.add(text/64, found<<(text%64))
	m.add(text/64+1, found>>(64-text%64)) // nothing where text%64 is 0
}

// set enters one, and setFrom those of a word of which the lowest bit stands for a
// text. Nobody else may use m at the same time.
func (m *Matches) set(text int) { m.words[text/64] |= 1 << (text % 64) }

func (m *Matches) setFrom(text int, found uint64) {
	m.words[text/64] |= found << (text % 64)
	if carried := found >> (64 - text%64); carried != 0 { // never where text%64 is 0
		m.words[text/64+1] |= carried
	}
}

// setAll enters those of a bitmap of which the first bit stands for a text.
func (m *Matches) setAll(text int, bitmap []uint64) {
	if bitmap != nil {
		m.reserve()
	}
	for i, found := range bitmap {
		m.setFrom(text+64*i, found)
	}
}

// has reports whether a text is among them. Others may be entered at the same
// time.
func (m *Matches) has(text int) bool { return atomic.LoadUint64(&m.words[text/64])>>(text%64)&1 != 0 }

// allMatches are all of so many texts.
func allMatches(texts int) *Matches {
	m := newMatches(texts)
	m.reserve()
	for i := range m.words {
		m.words[i] = ^uint64(0)
	}
	if rest := texts % 64; rest != 0 {
		m.words[len(m.words)-1] = 1<<rest - 1
	}
	return m
}

// Count returns how many there are.
func (m *Matches) Count() int { return onesIn(m.words) }

func onesIn(bitmap []uint64) int {
	count := 0
	for _, w := range bitmap {
		count += bits.OnesCount64(w)
	}
	return count
}

// From returns the positions from first on, ascending.
func (m *Matches) From(first int) iter.Seq[int] { return m.between(first, 64*len(m.words)) }

// between returns the positions from first on and before end, ascending.
func (m *Matches) between(first, end int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := max(first, 0)
		for at := first / 64; at < len(m.words) && at*64 < end; at++ {
			left := m.words[at]
			if at == first/64 {
				left &= ^uint64(0) << (first % 64)
			}
			for ; left != 0; left &= left - 1 {
				if text := at*64 + bits.TrailingZeros64(left); text >= end || !yield(text) {
					return
				}
			}
		}
	}
}
