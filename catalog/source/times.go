package source

import (
	"strings"
	"time"

	"instruction-catalog/catalog"
)

func readTime(at func(*catalog.Entry) *catalog.Timestamp) func(*normaliser, field) {
	return func(n *normaliser, f field) {
		if n.has(f) {
			*at(n.entry) = n.timeOf(f)
		}
	}
}

// readTimeOrModified reads a time that stands for something that certainly
// happened: where the file does not say when, it was when the file was last
// modified.
func readTimeOrModified(at func(*catalog.Entry) *catalog.Timestamp) func(*normaliser, field) {
	return func(n *normaliser, f field) {
		if n.has(f) {
			*at(n.entry) = n.timeOf(f)
			return
		}
		*at(n.entry) = catalog.NewTimestamp(n.doc.modified)
	}
}

// timeOf returns a time as it is written if that is RFC 3339 in UTC. A time
// of another offset is converted. A date is its midnight in UTC.
func (n *normaliser) timeOf(f field) catalog.Timestamp {
	spelled, ok := n.textOf(f)
	if !ok {
		return ""
	}
	spelled = strings.TrimSpace(spelled)
	var strict time.Time
	if err := strict.UnmarshalText([]byte(spelled)); err == nil {
		if _, offset := strict.Zone(); offset == 0 {
			return catalog.Timestamp(spelled)
		}
	}
	if date, err := time.Parse(time.DateOnly, spelled); err == nil {
		return catalog.NewTimestamp(date)
	}
	t, ok := looseTime(spelled)
	if !ok {
		n.fail(f, "%s is no time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z", f.value)
		return ""
	}
	stamp := catalog.NewTimestamp(t)
	n.taken(f, string(stamp))
	return stamp
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
