package notes

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// replaceInvalid replaces each byte of text that is not valid UTF-8 with U+FFFD.
func replaceInvalid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// cutMark is appended to a text that was cut.
const cutMark = "... [truncated]"

// CutMark is the length, in code points, of the mark that [Truncate] appends.
const CutMark = len(cutMark)

// IsCut reports whether text ends with the mark that [Truncate] appends, and whole does
// not.
func IsCut(text, whole string) bool {
	ends := func(s string) bool { return strings.HasSuffix(strings.TrimRight(s, " \t\r\n"), cutMark) }
	return ends(text) && !ends(whole)
}

// Truncate cuts text to at most the given length in code points, including the mark that
// it appends. It never cuts within a grapheme cluster.
func Truncate(text string, most int) string {
	room := most - utf8.RuneCountInString(cutMark)
	cut, runes := 0, 0
	for at := range text {
		if runes == room {
			cut = at
		}
		if runes++; runes > most {
			return text[:characterEnd(text, cut)] + cutMark
		}
	}
	return text
}

// characterEnd returns the last grapheme cluster boundary in text at or before offset.
func characterEnd(text string, offset int) int {
	end := certainEnd(text, offset)
	for end < offset {
		character, _, _, _ := uniseg.FirstGraphemeClusterInString(text[end:], -1)
		if end+len(character) > offset {
			break
		}
		end += len(character)
	}
	return end
}

// certainEnd returns a position at or before offset that is sure to be a grapheme cluster
// boundary: the start of text, or between two ASCII characters other than "\r\n".
func certainEnd(text string, offset int) int {
	for ; offset > 0; offset-- {
		before, after := text[offset-1], byte('x')
		if offset < len(text) {
			after = text[offset]
		}
		if before < utf8.RuneSelf && after < utf8.RuneSelf && !(before == '\r' && after == '\n') {
			return offset
		}
	}
	return 0
}
