package catalog

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"instruction-catalog/jsonscan"
)

// letters are those that stand behind the backslash in the escape of a character,
// of those characters that have an escape of two bytes (RFC 8259, section 7).
var letters = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// appendString appends s as encoding/json writes it, but for <, > and &, which
// are common in instructions and stay as they are.
func appendString[S ~string](dst []byte, s S) []byte {
	text := unsafe.Slice(unsafe.StringData(string(s)), len(s))
	dst = append(dst, '"')
	from := 0
	for i := jsonscan.Plain(text, 0); i < len(text); i = jsonscan.Plain(text, i) {
		r, size := utf8.DecodeRune(text[i:])
		if r >= utf8.RuneSelf && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = appendEscape(append(dst, text[from:i]...), r)
		i += size
		from = i
	}
	return append(append(dst, text[from:]...), '"')
}

// appendEscape appends a character that cannot stand for itself. The line and
// paragraph separators could, but not in JavaScript before 2019.
func appendEscape(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf && letters[r] != 0 {
		return append(dst, '\\', letters[r])
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
	if c := bytes.IndexByte(letters[:], rest[0]); c >= 0 {
		return append(dst, byte(c)), rest[1:]
	}
	return append(dst, rest[0]), rest[1:]
}
