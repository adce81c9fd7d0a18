package search

import "math/bits"

// An openShard is one in which there may be texts to be found, among all of them
// or only those of a bitmap.
type openShard struct {
	*shard
	among []uint64 // nil for all
}

// findAll enters the texts that contain what is looked for, but for those that are
// entered already, and returns how many pieces had to be looked at.
func (s openShard) findAll(l *look, m *Matches) (looks int) {
	word, found := 0, uint64(0) // one word of matches, gathered before it is entered
	looks = s.find(l, 0, func(text int) bool {
		i := s.first + text
		if i/64 != word {
			m.add(word, found)
			word, found = i/64, 0
		}
		found |= 1 << (i % 64)
		return true
	})
	m.add(word, found)
	return looks
}

// find calls yield with the positions in the shard, ascending and from first on,
// of the texts that contain what is looked for, until it returns false. It
// returns how many pieces it looked at.
func (s openShard) find(l *look, first int, yield func(int) bool) (looks int) {
	if len(l.needle.text) < gramBytes {
		s.grams.each(gramOf(l.needle.text), first, yield)
		return 0
	}
	return s.sift(l, first, yield)
}

// sift looks only at the pieces that the filters leave, at none after the first
// match in a text, and at none of a text that is settled.
func (s openShard) sift(l *look, first int, yield func(int) bool) (looks int) {
	next := int(s.starts[first]) // all before are done with, or approached
	l.begin(s.shard, next)
	var rows [mostGrams]int
	at := s.filters.locate(rows[:0], l.needle.grams)
	for word := next / 64; word < s.filters.width; word = max(word+1, next/64) {
		left := s.filters.candidates(word, at) & bitsFrom(next-word*64)
		for ; left != 0; left &= bitsFrom(next - word*64) {
			i := word*64 + bits.TrailingZeros64(left)
			next = i + 1
			if text := int(s.pieces[i].text); s.settled(l, text) {
				next = int(s.starts[text+1])
			} else if l.approach(i) {
				if !l.look(yield) {
					return l.looks
				}
				next = max(next, l.next)
			}
		}
	}
	l.look(yield)
	return l.looks
}

// settled reports whether a text is known to be found, or not to be, without a
// look.
func (s openShard) settled(l *look, text int) bool {
	return s.among != nil && s.among[text/64]>>(text%64)&1 == 0 || l.known != nil && l.known.has(s.first+text)
}

// bitsFrom returns a word with all bits from the ith on.
func bitsFrom(i int) uint64 { return ^uint64(0) << max(i, 0) }
