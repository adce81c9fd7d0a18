package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Plain returns where the plain bytes of a string, from at on, end: at the quote
// that closes it, at a backslash, at a control character, which no string may
// hold, or at the first byte that is not ASCII; len(text) where there is none of
// them. What lies between is as many characters as bytes, each of which means
// itself. The text need not be well-formed.
func Plain(text []byte, at int) int {
	for len(text)-at >= 8 {
		if found := special(binary.LittleEndian.Uint64(text[at:])); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
		at += 8
	}
	for at < len(text) && !isSpecial(text[at]) {
		at++
	}
	return at
}

func isSpecial(c byte) bool { return c < ' ' || c == '"' || c == '\\' || c >= 0x80 }

// special sets the highest bit of the lowest byte of word that isSpecial, and
// none where no byte is. Bits above that one mean nothing: a subtraction below
// zero borrows from the next byte.
func special(word uint64) uint64 {
	const (
		each    = 0x0101010101010101
		highest = each << 7
	)
	control := word - each*' '
	quote := (word ^ each*'"') - each
	backslash := (word ^ each*'\\') - each
	return (word | control | quote | backslash) & highest
}

// skipString skips the string that begins here.
func (s *Scanner) skipString() {
	for s.at++; ; {
		s.at = Plain(s.text, s.at)
		switch c := s.byte(s.at); {
		case c == '"':
			s.at++
			return
		case c >= utf8.RuneSelf:
			s.at++
		case c == '\\':
			s.skipEscape()
		default:
			s.fault()
			return
		}
	}
}

func (s *Scanner) skipEscape() {
	switch s.byte(s.at + 1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at += 2
	case 'u':
		for i := s.at + 2; i < s.at+6; i++ {
			if !isHex(s.byte(i)) {
				s.fault()
				return
			}
		}
		s.at += 6
	default:
		s.fault()
	}
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|' ' && c|' ' <= 'f' }
