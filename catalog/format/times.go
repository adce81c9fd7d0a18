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

// timeOrModified reads the time of something that certainly happened. If the file
// does not give it, the result is the file's modification time, and timeOrModified
// reports that.
func (n *normaliser) timeOrModified(f field) (t catalog.Timestamp, isModified bool) {
	if n.has(f) {
		return n.timeOf(f), false
	}
	return n.modified(f), true
}

// modified is the file's modification time. File systems allow years that the
// contract does not.
func (n *normaliser) modified(f field) catalog.Timestamp {
	if !writable(n.doc.Modified) {
		n.fail(FieldMissing, f, "missing, and the modification time of the file is not within the years 0000 to 9999: write when it was, such as 2025-01-31T09:30:00Z")
		return ""
	}
	return catalog.NewTimestamp(n.doc.Modified)
}

// timeOf returns a time as it is written if the contract writes it so, too. A
// time with an offset is converted. A date is its midnight in UTC.
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
		if n.doc.form == jsonForm { // in Markdown it is how a person writes it
			n.taken(f, string(stamp))
		}
		return stamp
	}
	t, ok := looseTime(spelled)
	if !ok {
		n.fail(FieldValue, f, "%s is no time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z", f.value)
		return ""
	}
	if !writable(t) {
		n.fail(FieldValue, f, "%s is in UTC not within the years 0000 to 9999: write a time that is", f.value)
		return ""
	}
	stamp := stampOf(t)
	n.taken(f, string(stamp))
	return stamp
}

// longest is the longest spelling of a time in the contract.
const longest = "2006-01-02T15:04:05.999999999Z"

// isTimestamp reports whether a time is written as the contract asks: RFC 3339
// with Z for its offset and at most nine digits of a fraction.
func isTimestamp(spelled string) bool {
	var t time.Time
	return len(spelled) <= len(longest) && strict(spelled) && t.UnmarshalText([]byte(spelled)) == nil
}

// strict refuses what RFC 3339 does not allow and package time accepts all the
// same (golang.org/issue/54580): an hour of one digit, a comma before the
// fraction. A longer offset than Z would have its place there, too.
func strict(spelled string) bool {
	const shortest = len("2006-01-02T15:04:05Z")
	if len(spelled) < shortest || spelled[13] != ':' || !strings.HasSuffix(spelled, "Z") {
		return false
	}
	return len(spelled) == shortest || spelled[shortest-1] == '.'
}

// writable reports whether the contract can write a time: in UTC, its year has
// four digits.
func writable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 0 && year <= 9999
}

// stampOf writes a time to the millisecond or, where that would lose something,
// to the nanosecond.
func stampOf(t time.Time) catalog.Timestamp {
	if t.Nanosecond()%int(time.Millisecond) == 0 {
		return catalog.NewTimestamp(t)
	}
	return catalog.Timestamp(t.UTC().Format(longest))
}

// looseLayouts are further forms of ISO 8601, and those that YAML allows. A
// time without an offset is one in UTC.
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
