package catalog

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Body is the text of an instruction in the form in which it is served: a JSON
// string, quotes included. Make one with [BodyOf]. That of a sealed entry is a
// part of what [Entry.Encoded] returns, so that a catalog holds each text once.
type Body string

// BodyOf returns a text as a body.
func BodyOf(text string) Body { return Body(appendString(nil, text)) }

// Text returns the text. It is decoded anew each time.
func (b Body) Text() string {
	if strings.IndexByte(string(b), '\\') < 0 {
		return b.unquoted()
	}
	return string(b.AppendText(make([]byte, 0, len(b))))
}

// AppendText appends the text to dst.
func (b Body) AppendText(dst []byte) []byte {
	return appendUnescaped(dst, b.unquoted())
}

// unquoted returns what stands between the quotes.
func (b Body) unquoted() string {
	if b == "" {
		return ""
	}
	return string(b[1 : len(b)-1])
}

// Length returns the length of the text in Unicode code points.
func (b Body) Length() int { return utf8.RuneCountInString(b.Text()) }

// MarshalJSON implements json.Marshaler.
func (b Body) MarshalJSON() ([]byte, error) {
	if b == "" {
		return []byte(`""`), nil
	}
	return []byte(b), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Body) UnmarshalJSON(literal []byte) error {
	var text string
	if err := json.Unmarshal(literal, &text); err != nil {
		return err
	}
	*b = BodyOf(text)
	return nil
}
