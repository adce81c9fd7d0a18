package report

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable escapes the characters that could control a terminal, in Go syntax: control
// characters such as \x1b, and characters that change the direction of text, such as
// \u202e. It leaves newlines and tabs.
func Printable(s string) string {
	return escape(s, func(r rune) bool { return r != '\n' && r != '\t' && steers(r) })
}

// OneLine is like [Printable] but also escapes newlines, tabs and other white space except
// spaces. Otherwise a name could imitate another line of the report.
func OneLine(s string) string {
	return escape(s, func(r rune) bool { return steers(r) || unicode.IsSpace(r) && r != ' ' })
}

// escape replaces the chosen characters with their Go escapes, and bytes that are not valid
// UTF-8 with U+FFFD.
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

// steers reports whether a character controls the terminal or the direction of the text
// around it.
func steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
