package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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

// StringEnd returns where the string ends whose opening quote stands at at:
// behind its closing quote, or at len(text) where there is none. The text need
// not be well-formed.
func StringEnd(text []byte, at int) int {
	inside := at + 1
	for end := inside; ; end++ {
		n := bytes.IndexByte(text[end:], '"')
		if n < 0 {
			return len(text)
		}
		end += n
		if !escaped(text[inside:end]) {
			return end + 1
		}
		inside = end // no backslash is looked at twice
	}
}

// escaped reports whether what follows the text within a string is escaped: an
// odd number of backslashes stands before it.
func escaped(before []byte) bool {
	n := len(before)
	for n > 0 && before[n-1] == '\\' {
		n--
	}
	return (len(before)-n)%2 == 1
}

func hasEscape(inside []byte) bool { return bytes.IndexByte(inside, '\\') >= 0 }
