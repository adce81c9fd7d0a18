package entities

import (
	"bytes"
	"errors"
	"time"
)

// Timestamp is a time in RFC 3339 that keeps its original text.
type Timestamp struct {
	text string
	time time.Time
}

// UnmarshalText parses RFC 3339 strictly. Package time also accepts a one-digit hour and
// a decimal comma.
func (t *Timestamp) UnmarshalText(text []byte) error {
	if len(text) < len("2006-01-02T15:04:05Z") || text[len("2006-01-02T15")] != ':' || bytes.ContainsRune(text, ',') {
		return errors.New("is no timestamp")
	}
	if t.time.UnmarshalText(text) != nil { // the error of package time quotes the text
		return errors.New("is no timestamp")
	}
	t.text = string(text)
	return nil
}

// String returns the original text.
func (t Timestamp) String() string { return t.text }

// Text returns a pointer to the original text, or nil if t is nil.
func (t *Timestamp) Text() *string {
	if t == nil {
		return nil
	}
	return &t.text
}

// Compare compares two times, regardless of their UTC offsets.
func (t Timestamp) Compare(u Timestamp) int { return t.time.Compare(u.time) }
