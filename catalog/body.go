package catalog

import (
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// Body is the text of an instruction as a JSON string, including the quotes. It shares
// the memory of the entry's JSON, so a catalog holds each text once.
type Body []byte

// Text returns the decoded text. Each call decodes it again.
func (b Body) Text() string {
	text, _ := jsonscan.Unquote(b)
	return text
}

// Length returns the length of the text in Unicode code points. Each call decodes the
// text.
func (b Body) Length() int { return utf8.RuneCountInString(b.Text()) }
