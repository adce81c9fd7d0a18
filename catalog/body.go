package catalog

import (
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// Body is the text of an instruction as it stands in the entry's JSON, a string
// with its quotes, so that a catalog holds each text once.
type Body []byte

// Text returns the text. It is decoded anew each time.
func (b Body) Text() string {
	text, _ := jsonscan.Unquote(b)
	return text
}

// Length returns the length of the text in Unicode code points.
func (b Body) Length() int { return utf8.RuneCountInString(b.Text()) }
