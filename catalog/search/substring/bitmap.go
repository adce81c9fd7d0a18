package substring

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// A bitmap is a set of texts of a segment: bit i%64 of word i/64 represents text i.
type bitmap []uint64

func newBitmap(texts int) bitmap { return make(bitmap, (texts+63)/64) }

func (b bitmap) set(i int) { b[i/64] |= 1 << (i % 64) }

// fill adds all texts of the segment; texts is their number.
func (b bitmap) fill(texts int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if rest := texts % 64; rest != 0 {
		b[len(b)-1] = 1<<rest - 1
	}
}

// or adds the texts of p, a posting in bitmap form.
func (b bitmap) or(p posting) {
	for i := range b {
		b[i] |= binary.LittleEndian.Uint64(p[8*i:])
	}
}

// and removes the texts that other does not have. It returns the number of texts left.
func (b bitmap) and(other bitmap) (left int) {
	for i := range b {
		b[i] &= other[i]
		left += bits.OnesCount64(b[i])
	}
	return left
}

// from yields the texts in the set, in ascending order, starting at first.
func (b bitmap) from(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := first / 64; at < len(b); at++ {
			for left := b[at]; left != 0; left &= left - 1 {
				if i := at*64 + bits.TrailingZeros64(left); i >= first && !yield(i) {
					return
				}
			}
		}
	}
}
