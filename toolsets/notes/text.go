package notes

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// replaceInvalid returns a text with U+FFFD for each byte that is not UTF-8.
func replaceInvalid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// cutMark is what a text ends with that was cut.
const cutMark = "... [truncated]"

// CutMark is how many code points [Truncate] adds to a text.
const CutMark = len(cutMark)

// IsCut reports whether a text ends as [Truncate] ends one, and the whole does not.
func IsCut(text, whole string) bool {
	ends := func(s string) bool { return strings.HasSuffix(strings.TrimRight(s, " \t\r\n"), cutMark) }
	return ends(text) && !ends(whole)
}

// Truncate returns a text of at most that many code points, the mark of a cut
// included. What a reader takes for one character is kept whole or left out.
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

// characterEnd returns the last end of a character in a text, as readers count
// them, at or before an offset.
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

// certainEnd returns an offset at or before another one where a character ends for
// certain: between two of ASCII, but not within a line's end.
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
