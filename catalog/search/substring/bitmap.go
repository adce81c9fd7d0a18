package substring

import (
	"iter"
	"math/bits"
)

// A bitmap is a set of the texts of a segment: bit i%8 of byte i/8 stands for text i.
type bitmap []byte

func bitmapSize(texts int) int { return (texts + 7) / 8 }

func newBitmap(texts int) bitmap { return make(bitmap, bitmapSize(texts)) }

func (b bitmap) set(i int) { b[i/8] |= 1 << (i % 8) }

// fill sets all of so many texts.
func (b bitmap) fill(texts int) {
	for i := range texts {
		b.set(i)
	}
}

func (b bitmap) or(other bitmap) {
	for i := range b {
		b[i] |= other[i]
	}
}

// and keeps what the other has, too, and reports whether anything is left.
func (b bitmap) and(other bitmap) bool {
	var left byte
	for i := range b {
		b[i] &= other[i]
		left |= b[i]
	}
	return left != 0
}

// from returns the texts from one on, ascending.
func (b bitmap) from(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := first / 8; at < len(b); at++ {
			for left := b[at]; left != 0; left &= left - 1 {
				if i := at*8 + bits.TrailingZeros8(left); i >= first && !yield(i) {
					return
				}
			}
		}
	}
}
