package entities

import "time"

// Timestamp is a moment, RFC 3339, and the text that it was written as.
type Timestamp struct {
	text string
	time time.Time
}

// UnmarshalText reads RFC 3339 and nothing looser.
func (t *Timestamp) UnmarshalText(text []byte) error {
	t.text = string(text)
	return t.time.UnmarshalText(text)
}

// String returns the text that the moment was written as.
func (t Timestamp) String() string { return t.text }

// Compare orders moments, whatever offset they are written with.
func (t Timestamp) Compare(u Timestamp) int { return t.time.Compare(u.time) }
