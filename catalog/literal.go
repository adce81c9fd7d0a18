package catalog

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// verbatim holds the bytes that stand for themselves in a JSON string
// (RFC 8259, section 7). Those of longer characters are looked at one by one.
var verbatim = func() (table [256]bool) {
	for c := range utf8.RuneSelf {
		table[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return table
}()

// shortEscapes are the characters that have an escape of two bytes, each with
// the letter that it is escaped by.
const shortEscapes = "\"\"\\\\\bb\ff\nn\rr\tt"

// appendString appends s as encoding/json writes it, but for <, > and &, which
// are common in instructions and stay as they are.
func appendString[S ~string](dst []byte, s S) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		if verbatim[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		if r >= utf8.RuneSelf && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = appendEscape(append(dst, s[from:i]...), r)
		i += size
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// appendEscape appends a character that cannot stand for itself. The line and
// paragraph separators could, but not in JavaScript before 2019.
func appendEscape(dst []byte, r rune) []byte {
	for i := 0; i < len(shortEscapes); i += 2 {
		if r == rune(shortEscapes[i]) {
			return append(dst, '\\', shortEscapes[i+1])
		}
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&0xF], digits[r>>8&0xF], digits[r>>4&0xF], digits[r&0xF])
}

// appendUnquoted appends the text of a string that [appendString] wrote.
func appendUnquoted(dst []byte, literal string) []byte {
	rest := literal[1 : len(literal)-1]
	for {
		at := strings.IndexByte(rest, '\\')
		if at < 0 {
			return append(dst, rest...)
		}
		dst = append(dst, rest[:at]...)
		dst, rest = appendUnescaped(dst, rest[at+1:])
	}
}

// appendUnescaped appends the character whose escape follows, and returns what
// comes behind it.
func appendUnescaped(dst []byte, rest string) (_ []byte, behind string) {
	if rest[0] == 'u' {
		r, _ := strconv.ParseUint(rest[1:5], 16, 16) // appendEscape wrote it
		return utf8.AppendRune(dst, rune(r)), rest[5:]
	}
	for i := 1; i < len(shortEscapes); i += 2 {
		if rest[0] == shortEscapes[i] {
			return append(dst, shortEscapes[i-1]), rest[1:]
		}
	}
	return append(dst, rest[0]), rest[1:]
}
