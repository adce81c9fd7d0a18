package catalog

import "time"

// Timestamp is a time in the contract's format: ISO 8601 in UTC, such as
// 2025-01-01T00:00:00.000Z. The empty Timestamp means that there is no time.
type Timestamp string

// NewTimestamp formats t in UTC with milliseconds.
func NewTimestamp(t time.Time) Timestamp {
	return Timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}
