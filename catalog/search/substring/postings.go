package substring

import (
	"encoding/binary"
	"sort"
)

// A gram is three bytes of text and the lowest bit of the fourth. The first byte is the
// most significant, so that grams with the same first bytes are adjacent when sorted.
type gram uint32

const (
	gramSize  = 4 // bytes of text
	wholeSize = 3 // number of bytes that a gram contains in full; of the fourth it has one bit
)

func gramOf(a, b, c, d byte) gram { return gram(a)<<17 | gram(b)<<9 | gram(c)<<1 | gram(d&1) }

// postings records, for each gram of a segment, the texts that contain it.
type postings struct {
	texts int
	grams []gram   // ascending
	ends  []uint32 // the offset in data at which the posting of each gram ends
	data  []byte
}

// A posting is the set of texts that contain a gram, in the shorter of two forms: a bitmap
// with its words in little endian; or the numbers of the texts, counted from 1 and
// ascending, each as its difference from the previous one, as an unsigned varint (see
// encoding/binary).
type posting []byte

// posting returns the posting of the gram at index at.
func (p *postings) posting(at int) posting {
	start := uint32(0)
	if at > 0 {
		start = p.ends[at-1]
	}
	return p.data[start:p.ends[at]]
}

// find returns the index of the first gram that is not below g.
func (p *postings) find(g gram) int {
	return sort.Search(len(p.grams), func(i int) bool { return p.grams[i] >= g })
}

// addTo adds the texts of p to set.
func (p posting) addTo(set bitmap) {
	if len(p) == 8*len(set) {
		set.or(p)
		return
	}
	number := uint64(0)
	for len(p) > 0 {
		difference, size := binary.Uvarint(p)
		number += difference
		set.set(int(number) - 1)
		p = p[size:]
	}
}

// candidates returns the texts that may contain the folded query q, which must not be
// empty. If exact is true, all of them do.
func (p *postings) candidates(q string) (set bitmap, exact bool) {
	if len(q) <= wholeSize {
		return p.beginning(q), true
	}
	return p.common(q), false
}

// beginning returns the texts that have a gram that begins with q.
func (p *postings) beginning(q string) bitmap {
	set := newBitmap(p.texts)
	low, high := [gramSize]byte{}, [gramSize]byte{terminator, terminator, terminator, terminator}
	copy(low[:], q)
	copy(high[:], q)
	last := gramOf(high[0], high[1], high[2], high[3])
	for at := p.find(gramOf(low[0], low[1], low[2], low[3])); at < len(p.grams) && p.grams[at] <= last; at++ {
		p.posting(at).addTo(set)
	}
	return set
}

const (
	// maxLookups is the maximum number of grams of a query to look up.
	maxLookups = 32
	// fewCandidates is the number of candidates up to which comparing them is cheaper than
	// looking up another gram.
	fewCandidates = 2
)

// common returns the texts that contain the last three bytes of q and the grams of q that
// it looks up. It looks up grams that share no byte first, because they narrow the set most.
// It stops at maxLookups grams or fewCandidates texts.
func (p *postings) common(q string) bitmap {
	set, other := p.beginning(q[len(q)-wholeSize:]), newBitmap(p.texts)
	lookups := 0
	for offset := range gramSize {
		for i := offset; i+gramSize <= len(q) && lookups < maxLookups; i += gramSize {
			lookups++
			clear(other)
			g := gramOf(q[i], q[i+1], q[i+2], q[i+3])
			if at := p.find(g); at < len(p.grams) && p.grams[at] == g {
				p.posting(at).addTo(other)
			}
			if set.and(other) <= fewCandidates {
				return set
			}
		}
	}
	return set
}
