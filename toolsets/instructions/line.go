package instructions

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/rpc"
)

// Texts for a model mix our own words with text from entries and clients. The functions
// in this file keep the two separate: text that has passed through [oneLine] can never
// start a line.

// oneLine returns text on one line. It turns each run of white space into one space and
// removes characters that are invisible or change the direction of text. The result is
// empty if nothing visible is left.
func oneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		// Keep the two joiners: they are invisible but change how their neighbours look.
		if unicode.IsGraphic(r) || r == '\u200C' || r == '\u200D' {
			return r
		}
		return -1
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}

// brief applies [oneLine] and cuts the result to limit characters.
func brief(text string, limit int) string { return cut(oneLine(text), limit) }

// cut returns text unchanged if it has at most limit characters. Otherwise it returns
// the beginning, ending in an ellipsis, with limit characters in total.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	const ellipsis = "…"
	for i := range text {
		if limit--; limit == 0 {
			return text[:i] + ellipsis
		}
	}
	return ""
}

// cutWire cuts text so that it takes at most room bytes in an answer.
func cutWire(text string, room int) string {
	chars := utf8.RuneCountInString(text)
	for chars > 0 && wireSize(text) > room {
		chars--
		text = cut(text, chars)
	}
	if wireSize(text) > room {
		return ""
	}
	return text
}

// wireSize returns the number of bytes that text takes in an answer, including JSON
// escapes.
func wireSize(text string) int {
	encoded, _ := json.Marshal(text) // encoding a string cannot fail
	return len(encoded) - len(`""`)
}

// quoted puts foreign text in quotes for use in a sentence, on one line and cut to 80
// characters.
func quoted(text string) string { return `"` + brief(text, 80) + `"` }

// counted formats a number with its noun, such as "1 entry" or "1,234 entries".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return rpc.Grouped(n) + " " + many
}

// someOf joins as many names as fit into limit bytes, and appends the number of those
// omitted.
func someOf(names []string, limit int) string {
	shown := ""
	for i, name := range names {
		next := name
		if i > 0 {
			next = ", " + name
		}
		if len(shown)+len(next) > limit {
			return fmt.Sprintf("%s and %s more", shown, rpc.Grouped(len(names)-i))
		}
		shown += next
	}
	return shown
}
