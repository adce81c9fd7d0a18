package report

import (
	"strings"
	"unicode"
)

// Printable replaces what could steer a terminal: control characters and those
// that change the direction of text. Newlines and tabs stay.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && steers(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// OneLine is [Printable], and what would begin a new line or column is replaced,
// too: a name may be made to look like a line of the report that shows it.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && r != ' ' {
			return unicode.ReplacementChar
		}
		return r
	}, Printable(s))
}

// steers reports whether a character does something to the text around it.
func steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
