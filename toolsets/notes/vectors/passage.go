package vectors

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"instruction-catalog/toolsets/notes"
)

// What of a note is embedded. Many models read no more than 512 tokens at once.
const (
	passageLength = 1800 // bytes of content, at most
	maxPassages   = 100  // of a note, the first ones
)

// key is the hash of a passage.
type key [sha256.Size]byte

// passage is a part of a note as it is embedded.
type passage struct {
	key  key
	text string
}

// passagesOf cuts a note. Each part has the title and the tags before it.
func passagesOf(n *notes.Note) []passage {
	head := n.Title()
	if len(n.Parts.Tags) > 0 {
		head += "\n" + strings.Join(n.Parts.Tags, ", ")
	}
	if runes := []rune(head); len(runes) > passageLength/4 {
		head = string(runes[:passageLength/4])
	}
	rest := strings.TrimSpace(n.Content())
	var passages []passage
	for len(passages) == 0 || rest != "" && len(passages) < maxPassages {
		end := cut(rest)
		text := strings.TrimSpace(head + "\n\n" + strings.TrimSpace(rest[:end]))
		passages = append(passages, passage{sha256.Sum256([]byte(text)), text})
		rest = strings.TrimSpace(rest[end:])
	}
	return passages
}

// cut returns where a passage ends: before a heading or after a paragraph, a line
// or a word if one ends in its second half, else between two characters.
func cut(text string) int {
	if len(text) <= passageLength {
		return len(text)
	}
	window := text[:passageLength]
	for _, mark := range []string{"\n#", "\n\n", "\n", " "} {
		if i := strings.LastIndex(window, mark); i >= passageLength/2 {
			return i
		}
	}
	end := passageLength
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}
