package search

import "math/bits"

// An openShard is one in which there may be texts to be found.
type openShard struct {
	*shard
	among  bitmap // the texts of the group that are open
	offset int    // of the shard's first text in the group
}

// has reports whether any of its texts is open.
func (s openShard) has() bool {
	for text := s.offset; text < s.offset+s.len(); text = (text/64 + 1) * 64 {
		if left := s.among[text/64] & bitsFrom(text%64); left != 0 {
			return text/64*64+bits.TrailingZeros64(left) < s.offset+s.len()
		}
	}
	return false
}

// sift enters the texts that contain what is looked for, but for those that are
// known already. It looks at no more pieces than the filters leave, and at none after
// the first match in a text.
func (s openShard) sift(l *look) {
	l.begin(s.shard)
	var rows [mostKeys]int
	at, next := s.filters.locate(rows[:0], l.needle.keys), 0
	for word := 0; word < s.filters.width; word = max(word+1, next/64) {
		left := s.filters.candidates(word, at) & bitsFrom(next-word*64)
		for ; left != 0; left &= bitsFrom(next - word*64) {
			i := word*64 + bits.TrailingZeros64(left)
			if i >= len(s.pieces) {
				break // the rest of a word stands for no piece
			}
			next = i + 1
			if text := int(s.pieces[i].text); !s.isOpen(text) || l.matches.words.has(s.first+text) {
				next = int(s.starts[text+1])
			} else if l.approach(i) {
				l.look()
				next = max(next, l.next)
			}
		}
	}
	l.end()
}

func (s openShard) isOpen(text int) bool {
	return s.among.has(s.offset + text)
}

// bitsFrom returns a word with all bits from the ith on.
func bitsFrom(i int) uint64 { return ^uint64(0) << max(i, 0) }
