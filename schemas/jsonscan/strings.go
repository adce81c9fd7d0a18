package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plainEnd returns where the plain bytes of a string, from at on, end: at the quote
// that closes it, at a backslash, at a control character, which no string may
// hold, or at the first byte that is not ASCII; len(text) where there is none of
// them. What lies between is as many characters as bytes, each of which means
// itself. The text need not be well-formed.
func plainEnd(text []byte, at int) int {
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

// Literal returns the string that comes next as it is written, without its quotes,
// nil where the value is none; plain tells that every byte of it means itself.
func (s *Scanner) Literal() (inside []byte, plain bool) {
	if s.Next() != '"' {
		s.fault()
		return nil, false
	}
	start := s.at + 1
	plain = s.skipString()
	if s.at > len(s.text) {
		return nil, false
	}
	return s.text[start : s.at-1 : s.at-1], plain
}

// skipString skips the string that begins here, and reports whether it is plain.
func (s *Scanner) skipString() (plain bool) {
	plain = true
	for s.at++; ; plain = false {
		s.at = plainEnd(s.text, s.at)
		switch c := s.byte(s.at); {
		case c == '"':
			s.at++
			return plain
		case c >= utf8.RuneSelf:
			s.at++
		case c == '\\':
			s.skipEscape()
		default:
			return s.fault()
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

// Unquote returns what a string stands for, given with its quotes. As
// encoding/json does, it reads half a surrogate pair, and each byte that is no
// UTF-8, as U+FFFD; repaired reports whether it had to.
func Unquote(quoted []byte) (text string, repaired bool) {
	rest := quoted[1 : len(quoted)-1]
	if !utf8.Valid(rest) {
		rest, repaired = []byte(string([]rune(string(rest)))), true
	}
	var b strings.Builder
	b.Grow(len(rest))
	for {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			b.Write(rest)
			return b.String(), repaired
		}
		b.Write(rest[:at])
		r, size := unescape(rest[at:])
		repaired = repaired || r < 0
		if r < 0 {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		rest = rest[at+size:]
	}
}

// letters are the characters that have an escape of two bytes, each behind that
// which stands for it (RFC 8259, section 7).
const letters = "\"\"\\\\//b\bf\fn\nr\rt\t"

// unescape returns the character of the escape that begins here, -1 for half a
// surrogate pair, and how many bytes the escape has.
func unescape(escape []byte) (r rune, size int) {
	const unit = len(`\u0000`)
	if escape[1] != 'u' {
		return rune(letters[strings.IndexByte(letters, escape[1])+1]), len(`\n`)
	}
	r = codeUnit(escape)
	if !utf16.IsSurrogate(r) {
		return r, unit
	}
	if bytes.HasPrefix(escape[unit:], []byte(`\u`)) {
		if pair := utf16.DecodeRune(r, codeUnit(escape[unit:])); pair != utf8.RuneError {
			return pair, 2 * unit
		}
	}
	return -1, unit
}

// codeUnit returns the number in an escape \u0000.
func codeUnit(escape []byte) rune {
	n, _ := strconv.ParseUint(string(escape[2:6]), 16, 16) // well-formed
	return rune(n)
}
