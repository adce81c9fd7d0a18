package search

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

// index returns where in a text it stands first, or -1. It looks for its [ends].
func (s *spelling) index(text string) int {
	end := len(s.text) - 1
	at := 0
	for at+end+8 <= len(text) {
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
