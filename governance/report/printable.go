package report

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable escapes what could steer a terminal, as Go does: a control character
// as \x1b, one that changes the direction of text as \u202e. Newlines and tabs stay.
func Printable(s string) string {
	return escape(s, func(r rune) bool { return r != '\n' && r != '\t' && steers(r) })
}

// OneLine is [Printable] that also escapes what would begin a new line or column: a
// name may imitate a line of the report that shows it.
func OneLine(s string) string {
	return escape(s, func(r rune) bool { return steers(r) || unicode.IsSpace(r) && r != ' ' })
}

// escape writes the characters of a text that are chosen as they stand in a string
// of Go. Bytes that are no UTF-8 become U+FFFD.
func escape(s string, chosen func(rune) bool) string {
	var out strings.Builder
	for _, r := range s {
		if !chosen(r) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}

// steers reports whether a character does something to the text around it.
func steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
