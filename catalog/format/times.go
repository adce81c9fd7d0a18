package format

import (
	"strings"
	"time"

	"instruction-catalog/catalog"
)

func readTime(at func(*catalog.Instruction) *catalog.Timestamp) func(*normaliser, field) {
	return func(n *normaliser, f field) {
		if n.has(f) {
			*at(&n.entry) = n.timeOf(f)
		}
	}
}

func readCreatedAt(n *normaliser, f field) {
	n.entry.CreatedAt, n.origin.CreatedWithFile = n.timeOrModified(f)
}

func readUpdatedAt(n *normaliser, f field) {
	n.entry.UpdatedAt, n.origin.UpdatedWithFile = n.timeOrModified(f)
}

// timeOrModified returns the time of a field, or the file's modification time if the
// file does not set the field. isModified is true for the modification time.
func (n *normaliser) timeOrModified(f field) (t catalog.Timestamp, isModified bool) {
	if n.has(f) {
		return n.timeOf(f), false
	}
	return n.modified(f), true
}

// modified returns the file's modification time. A year that the contract does not
// allow is an error. Some file systems have such years.
func (n *normaliser) modified(f field) catalog.Timestamp {
	if !writable(n.doc.Modified) {
		n.fail(FieldMissing, f, "missing, and the modification time of the file is not within the years 0000 to 9999: write when it was, such as 2025-01-31T09:30:00Z")
		return ""
	}
	return catalog.NewTimestamp(n.doc.Modified)
}

// timeOf returns a time in the form of the contract. A time in that form stays as
// written. A time with an offset is converted to UTC. A date becomes midnight in UTC.
// An invalid time is an error.
func (n *normaliser) timeOf(f field) catalog.Timestamp {
	spelled, ok := n.textOf(f)
	if !ok {
		return ""
	}
	spelled = strings.TrimSpace(spelled)
	if isTimestamp(spelled) {
		return catalog.Timestamp(spelled)
	}
	if date, err := time.Parse(time.DateOnly, spelled); err == nil {
		stamp := catalog.NewTimestamp(date)
		if n.doc.form == jsonForm { // in Markdown, people are expected to write dates
			n.taken(f, string(stamp))
		}
		return stamp
	}
	t, ok := looseTime(spelled)
	if !ok {
		n.fail(FieldValue, f, "%s is not a time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z", f.value)
		return ""
	}
	if !writable(t) {
		n.fail(FieldValue, f, "%s is outside of the years 0000 to 9999 in UTC: write a time within them", f.value)
		return ""
	}
	stamp := stampOf(t)
	n.taken(f, string(stamp))
	return stamp
}

// longest is the longest form of a time in the contract.
const longest = "2006-01-02T15:04:05.999999999Z"

// isTimestamp reports whether a time is in the form of the contract: RFC 3339 with the
// offset Z and at most nine fractional digits.
func isTimestamp(spelled string) bool {
	var t time.Time
	return len(spelled) <= len(longest) && strict(spelled) && t.UnmarshalText([]byte(spelled)) == nil
}

// strict rejects times that RFC 3339 forbids but package time accepts
// (golang.org/issue/54580): an hour of one digit, or a comma before the fraction. It
// also requires that the time ends in Z.
func strict(spelled string) bool {
	const shortest = len("2006-01-02T15:04:05Z")
	if len(spelled) < shortest || spelled[13] != ':' || !strings.HasSuffix(spelled, "Z") {
		return false
	}
	return len(spelled) == shortest || spelled[shortest-1] == '.'
}

// writable reports whether the contract can represent a time: in UTC, its year must
// have four digits.
func writable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 0 && year <= 9999
}

// stampOf formats a time to the millisecond, or to the nanosecond if milliseconds would
// lose precision.
func stampOf(t time.Time) catalog.Timestamp {
	if t.Nanosecond()%int(time.Millisecond) == 0 {
		return catalog.NewTimestamp(t)
	}
	return catalog.Timestamp(t.UTC().Format(longest))
}

// looseLayouts are other layouts that ISO 8601 or YAML allows. A time without an offset
// is in UTC.
var looseLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
}

func looseTime(spelled string) (time.Time, bool) {
	spelled = strings.ToUpper(spelled)
	if len(spelled) > 10 && spelled[10] == ' ' {
		spelled = spelled[:10] + "T" + strings.TrimLeft(spelled[10:], " ")
	}
	for _, layout := range looseLayouts {
		if t, err := time.Parse(layout, spelled); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
