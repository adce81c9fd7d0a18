package entities

import (
	"bytes"
	"errors"
	"time"
)

// Timestamp is a moment, RFC 3339, and the text that it was written as.
type Timestamp struct {
	text string
	time time.Time
}

// UnmarshalText reads RFC 3339 strictly: package time also accepts an hour of one
// digit, and a comma.
func (t *Timestamp) UnmarshalText(text []byte) error {
	if len(text) < len("2006-01-02T15:04:05Z") || text[len("2006-01-02T15")] != ':' || bytes.ContainsRune(text, ',') {
		return errors.New("is no timestamp")
	}
	if t.time.UnmarshalText(text) != nil { // whose error quotes the text
		return errors.New("is no timestamp")
	}
	t.text = string(text)
	return nil
}

// String returns the text that the moment was written as.
func (t Timestamp) String() string { return t.text }

// Text returns what String does, nil for no moment.
func (t *Timestamp) Text() *string {
	if t == nil {
		return nil
	}
	return &t.text
}

// Compare orders moments, whatever offset they are written with.
func (t Timestamp) Compare(u Timestamp) int { return t.time.Compare(u.time) }
