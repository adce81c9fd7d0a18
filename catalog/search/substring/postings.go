package substring

import (
	"encoding/binary"
	"slices"
	"sort"
)

// A gram is three bytes of text, the first of them the highest.
type gram uint32

const (
	gramSize = 3
	// maxGrams is how many grams of a long query are looked up.
	maxGrams = 32
)

func gramOf(text string) gram { return gram(text[0])<<16 | gram(text[1])<<8 | gram(text[2]) }

// postings say of each gram of a segment which texts have it.
type postings struct {
	texts int
	grams []gram   // ascending
	ends  []uint32 // of the posting of each gram in data
	data  []byte
}

// A posting is the texts that have a gram: a bitmap, or, where that is shorter, the
// differences between ascending numbers, each one more than that of a text, as
// unsigned varints (see package encoding/binary).
type posting []byte

// posting returns that of the gram at a place among the grams.
func (p *postings) posting(at int) posting {
	start := uint32(0)
	if at > 0 {
		start = p.ends[at-1]
	}
	return p.data[start:p.ends[at]]
}

// addTo adds the texts of a posting to a set.
func (p posting) addTo(set bitmap) {
	if len(p) == len(set) {
		set.or(bitmap(p))
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

// candidates adds the texts that may have a folded query, which is not empty, to an
// empty set, and reports whether they do have it.
func (p *postings) candidates(set bitmap, q string) (exact bool) {
	if len(q) <= gramSize {
		p.beginning(set, q)
		return true
	}
	rarest := p.rarest(q)
	if len(rarest) == 0 {
		return true
	}
	rarest[0].addTo(set)
	other := newBitmap(p.texts)
	for _, posting := range rarest[1:] {
		clear(other)
		if posting.addTo(other); !set.and(other) {
			break
		}
	}
	return false
}

// beginning adds the texts that have a gram which begins with the query.
func (p *postings) beginning(set bitmap, q string) {
	var low, high [gramSize]byte
	for i := range low {
		high[i] = terminator
	}
	copy(low[:], q)
	copy(high[:], q)
	last := gramOf(string(high[:]))
	for at := p.find(gramOf(string(low[:]))); at < len(p.grams) && p.grams[at] <= last; at++ {
		p.posting(at).addTo(set)
	}
}

// find returns the place of the first gram that is not below g.
func (p *postings) find(g gram) int {
	return sort.Search(len(p.grams), func(i int) bool { return p.grams[i] >= g })
}

// rarest returns the postings of the grams of a query, shortest first; none, if no
// text has one of the grams.
func (p *postings) rarest(q string) []posting {
	all := make([]posting, 0, maxGrams)
	for i := 0; i+gramSize <= len(q) && len(all) < maxGrams; i++ {
		g := gramOf(q[i:])
		at := p.find(g)
		if at == len(p.grams) || p.grams[at] != g {
			return nil
		}
		all = append(all, p.posting(at))
	}
	slices.SortFunc(all, func(a, b posting) int { return len(a) - len(b) })
	return all
}
