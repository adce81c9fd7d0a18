package search

import "bytes"

// A spelling is how a needle of ASCII stands in a text that is not folded, but for
// its case.
type spelling struct {
	text       []byte
	rare       int    // index of its rarest byte
	ends       ends   // of it
	head, mask uint64 // its first eight bytes, as far as it has them, and which of them count
	upper      uint64 // what makes the upper case of them the same
}

func newSpelling(text []byte) spelling {
	s := spelling{text: text}
	s.rare, _ = rarest(text)
	s.ends = ends{inAnyCase(text[0]), inAnyCase(text[s.rare]), inAnyCase(text[len(text)-1])}
	s.head, s.mask = headOf(text)
	for i, c := range text[:min(8, len(text))] {
		s.upper |= inAnyCase(c).upper & (0xFF << (8 * i))
	}
	return s
}

// patience is how many bytes a search by the ends may compare in vain before it
// gives way to one that takes linear time.
const patience = 1 << 10

// index returns where in a text it stands first, or -1. It looks for its [ends].
func (s *spelling) index(text string) int {
	end := len(s.text) - 1
	at := 0
	for compared := 0; at+end+8 <= len(text); compared += len(s.text) {
		if compared >= patience {
			return s.indexSteadily(text, at)
		}
		places := len(text) - at - end
		skip := s.ends.next(text[at:][:places], text[at+s.rare:], text[at+end:])
		if skip < 0 {
			return -1
		}
		if at += skip; s.begins(text[at:]) {
			return at
		}
		at++
	}
	for ; at+end < len(text); at++ {
		if s.begins(text[at:]) {
			return at
		}
	}
	return -1
}

// indexSteadily does what index does, from a place on, in linear time: where a text
// is hardly more than one letter, the ends are right everywhere.
func (s *spelling) indexSteadily(text string, from int) int {
	lower := []byte(text[from:])
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	if next := bytes.Index(lower, s.text); next >= 0 {
		return from + next
	}
	return -1
}

// begins reports whether a text, which is no shorter, begins with it.
func (s *spelling) begins(text string) bool {
	if len(text) >= 8 {
		if (load64(text)|s.upper)&s.mask != s.head {
			return false
		}
		if len(s.text) <= 8 {
			return true
		}
	}
	for i, want := range s.text {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 'a' - 'A'
		}
		if c != want {
			return false
		}
	}
	return true
}
