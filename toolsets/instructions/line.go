package instructions

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/rpc"
)

// What an entry or a client says is shown to a model among words of our own.
// The functions of this file keep the two apart: nothing that has gone through
// [oneLine] can begin a line.

// oneLine returns a text as one line: white space is a single blank, and what
// cannot be seen, or turns the writing around, is left out. The result is empty
// where there is nothing to see.
func oneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		// The two joiners cannot be seen but change how their neighbours look.
		if unicode.IsGraphic(r) || r == '\u200C' || r == '\u200D' {
			return r
		}
		return -1
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}

// brief is [oneLine], cut after so many characters.
func brief(text string, limit int) string { return cut(oneLine(text), limit) }

// cut returns the text if it has at most so many characters, else its
// beginning, which ends in an ellipsis and has that many.
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

// cutWire returns as much of a text as fits into so many bytes of an answer.
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

// wireSize is how many bytes a text takes in an answer, where JSON escapes some
// of its characters.
func wireSize(text string) int {
	encoded, _ := json.Marshal(text) // a string always can be
	return len(encoded) - len(`""`)
}

// quoted is a text of somebody else amid a sentence.
func quoted(text string) string { return `"` + brief(text, 80) + `"` }

// counted is a number of things, as "1 entry" or "1,234 entries".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return rpc.Grouped(n) + " " + many
}

// someOf names texts as long as they take at most so many bytes, and counts
// those that are left.
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
