package catalog

import (
	"slices"
	"strings"
)

// Filter narrows a question to some entries. Its zero value lets all pass.
type Filter struct {
	Category    string // case-insensitive; "" for any
	Requirement Requirement
	Audience    Audience
}

func (f Filter) passes(e *Entry) bool {
	return (f.Category == "" || slices.Contains(e.Categories, f.Category)) &&
		(f.Requirement == "" || e.Requirement == f.Requirement) &&
		(f.Audience == "" || e.Audience == f.Audience)
}

// List returns the entries that pass the filter, in id order.
func (s *Snapshot) List(f Filter) []*Entry {
	if f == (Filter{}) {
		return s.entries
	}
	f.Category = strings.ToLower(f.Category)
	var out []*Entry
	for _, e := range s.entries {
		if f.passes(e) {
			out = append(out, e)
		}
	}
	return out
}

// Search returns the entries whose title or body contains q, in id order.
// Case is ignored in the sense of Unicode's full case folding: STRASSE finds
// Straße. An empty q finds all. The first search builds the index.
func (s *Snapshot) Search(q string, f Filter) []*Entry {
	if q == "" {
		return s.List(f)
	}
	f.Category = strings.ToLower(f.Category)
	var out []*Entry
	for _, i := range s.index().Find(q) {
		if e := s.entries[i]; f.passes(e) {
			out = append(out, e)
		}
	}
	return out
}
