package search

import (
	"iter"
	"math/bits"
	"sync/atomic"
)

// A bitmap is a set of texts: bit i of word w stands for the text 64w+i.
type bitmap []uint64

func newBitmap(texts int) bitmap { return make(bitmap, bitmapWords(texts)) }

// bitmapWords is the length of a bitmap of so many texts.
func bitmapWords(texts int) int { return (texts + 63) / 64 }

// add enters matches in one word. Others may do so at the same time.
func (b bitmap) add(word int, found uint64) {
	if found != 0 { // else there may be no such word
		atomic.OrUint64(&b[word], found)
	}
}

// addFrom enters those of a word of which the lowest bit stands for a text.
func (b bitmap) addFrom(text int, found uint64) {
	b.add(text/64, found<<(text%64))
	b.add(text/64+1, found>>(64-text%64)) // nothing where text%64 is 0
}

// set enters one, and setFrom those of a word of which the lowest bit stands for a
// text. Nobody else may use the bitmap at the same time.
func (b bitmap) set(text int) { b[text/64] |= 1 << (text % 64) }

func (b bitmap) setFrom(text int, found uint64) {
	b[text/64] |= found << (text % 64)
	if carried := found >> (64 - text%64); carried != 0 { // never where text%64 is 0
		b[text/64+1] |= carried
	}
}

// setAll enters those of another bitmap, of which the first bit stands for a text.
func (b bitmap) setAll(text int, other bitmap) {
	for i, found := range other {
		b.setFrom(text+64*i, found)
	}
}

// keep leaves only the texts that are in another one, too.
func (b bitmap) keep(other bitmap) {
	for i := range b {
		b[i] &= other[i]
	}
}

func (b bitmap) count() int {
	count := 0
	for _, w := range b {
		count += bits.OnesCount64(w)
	}
	return count
}

// has reports whether a text is among them. Others may be entered at the same
// time.
func (b bitmap) has(text int) bool { return atomic.LoadUint64(&b[text/64])>>(text%64)&1 != 0 }

// between returns the positions from first on and before end, ascending.
func (b bitmap) between(first, end int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := max(first, 0)
		for at := first / 64; at < len(b) && at*64 < end; at++ {
			left := b[at]
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
