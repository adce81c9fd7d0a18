package vectors

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"
)

// Limits for the parts of a document that are embedded. Many models read at most 512 tokens
// at once.
const (
	passageLength = 1800 // maximum length of a passage's content, in bytes
	maxPassages   = 100  // maximum number of passages per document
)

// key is the hash of a passage.
type key [sha256.Size]byte

// passage is a part of a document as sent to the embedder.
type passage struct {
	key  key
	text string
}

// passagesOf splits a document into passages. Each begins with the heading, which is
// truncated if it is long.
func passagesOf(d Document) []passage {
	head, rest := d.Text()
	if runes := []rune(head); len(runes) > passageLength/4 {
		head = string(runes[:passageLength/4])
	}
	rest = strings.TrimSpace(rest)
	var passages []passage
	for len(passages) == 0 || rest != "" && len(passages) < maxPassages {
		end := cut(rest)
		text := strings.TrimSpace(head + "\n\n" + strings.TrimSpace(rest[:end]))
		passages = append(passages, passage{sha256.Sum256([]byte(text)), text})
		rest = strings.TrimSpace(rest[end:])
	}
	return passages
}

// cut returns the end of the first passage of text. In the second half of the maximum
// length, it looks for a position before a heading, then after a paragraph, a line or a
// word. If it finds none, it cuts between two code points.
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
