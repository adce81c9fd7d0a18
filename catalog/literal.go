package catalog

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"instruction-catalog/schemas/jsonscan"
)

// letters are those that stand behind the backslash in the escape of a character,
// of those characters that have an escape of two bytes (RFC 8259, section 7).
var letters = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// appendString appends s as encoding/json writes it, but for <, > and &, which
// are common in instructions and stay as they are.
func appendString[S ~string](dst []byte, s S) []byte {
	return append(appendEscapes(append(dst, '"'), string(s)), '"')
}

// appendEscapes appends what stands between the quotes.
func appendEscapes(dst []byte, s string) []byte {
	text := unsafe.Slice(unsafe.StringData(s), len(s))
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
	return append(dst, text[from:]...)
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

// appendUnescaped appends the text that stands between the quotes of a string that
// [appendString] wrote, or in a part of it.
func appendUnescaped(dst []byte, escaped string) []byte {
	for {
		at := strings.IndexByte(escaped, '\\')
		if at < 0 {
			return append(dst, escaped...)
		}
		dst = append(dst, escaped[:at]...)
		size := escapeSize(escaped[at:])
		dst, escaped = appendEscaped(dst, escaped[at+1:at+size]), escaped[at+size:]
	}
}

// escapeSize returns the length of an escape, with its backslash.
func escapeSize(escape string) int {
	if escape[1] == 'u' {
		return len(`\u0000`)
	}
	return len(`\n`)
}

// appendEscaped appends the character of an escape, given without its backslash.
func appendEscaped(dst []byte, escape string) []byte {
	if escape[0] == 'u' {
		r, _ := strconv.ParseUint(escape[1:], 16, 16) // appendEscape wrote it
		return utf8.AppendRune(dst, rune(r))
	}
	if c := bytes.IndexByte(letters[:], escape[0]); c >= 0 {
		return append(dst, byte(c))
	}
	return append(dst, escape[0])
}
