package files

import (
	"bytes"
	"unicode/utf8"
)

var byteOrderMark = []byte("\uFEFF")

// TrimByteOrderMark returns the text without a leading U+FEFF. Some editors write it to
// mark a file as UTF-8.
func TrimByteOrderMark(text []byte) []byte { return bytes.TrimPrefix(text, byteOrderMark) }

// InvalidUTF8 returns the offset of the first byte that is not valid UTF-8, or -1.
func InvalidUTF8(text []byte) int {
	if utf8.Valid(text) { // nearly always true, and many times as fast as the loop
		return -1
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// LineAt returns the number, from 1, of the line that contains the byte at offset. An
// offset past the end is on the last line.
func LineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte{'\n'})
}
