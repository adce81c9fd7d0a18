package catalog

import (
	"iter"
	"slices"
	"strings"

	"instruction-catalog/catalog/search"
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
	page, _ := s.Find(Query{Filter: f}) // there is no cursor that could be wrong
	return slices.Collect(page.Entries)
}

// Query asks for the entries that contain a text and pass a filter, in id
// order. Its zero value asks for all.
type Query struct {
	Text   string // in title or body, whatever its case; "" is in every entry
	Filter Filter
	Limit  int    // most entries on the page; 0 for all
	After  Cursor // where the page before ended; "" for the first page
	Count  bool   // whether to count; without that, no more is looked at than the page needs
}

// Page is a part of what a query finds.
type Page struct {
	Entries iter.Seq[*Entry]
	Count   int    // of all that the query finds, on whichever page; 0 unless asked for
	Next    Cursor // what the next page comes after; "" on the last
}

// Find answers a query. Case is ignored in the sense of Unicode's full case
// folding: STRASSE finds Straße. Before the index is built, it goes through all
// texts. Its errors are [ErrCursorForm], [ErrCursorStale] and [ErrCursorOther].
func (s *Snapshot) Find(q Query) (Page, error) {
	start, err := s.startAfter(q.After)
	if err != nil {
		return Page{}, err
	}
	q.Filter.Category = strings.ToLower(q.Filter.Category)
	if q.Text == "" && q.Filter == (Filter{}) {
		page := s.cut(s.entries[start:], q.Limit)
		if q.Count {
			page.Count = len(s.entries)
		}
		return page, nil
	}
	found, ok := s.inCategory(&q)
	switch {
	case ok:
	case !q.Count:
		return s.firstPage(s.finder().FindFrom(q.Text, start), &q, q.Limit), nil
	default:
		found = s.finder().Find(q.Text)
	}
	count := s.count(found, q.Filter)
	page := Page{Entries: s.passing(found.From(start), q.Filter)}
	if q.Limit > 0 {
		page = s.firstPage(found.From(start), &q, count)
	}
	if q.Count {
		page.Count = count
	}
	return page, nil
}

// inCategory returns the entries of the category that a query without a text asks
// for, and takes it out of the query.
func (s *Snapshot) inCategory(q *Query) (matches, bool) {
	if q.Text != "" || q.Filter.Category == "" {
		return nil, false
	}
	found := s.categories()[q.Filter.Category]
	q.Filter.Category = ""
	return found, true
}

// matches are positions of entries, ascending.
type matches interface {
	Count() int
	From(first int) iter.Seq[int]
}

// A finder finds the texts that contain a string; see [search.Index].
type finder interface {
	Find(q string) *search.Matches
	FindFrom(q string, first int) iter.Seq[int]
}

// passing yields the entries at these positions that pass the filter.
func (s *Snapshot) passing(matches iter.Seq[int], f Filter) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range matches {
			if e := s.entries[i]; f.passes(e) && !yield(e) {
				return
			}
		}
	}
}

// firstPage makes a page of the first of the matches that pass the filter, of
// which there are about so many.
func (s *Snapshot) firstPage(matches iter.Seq[int], q *Query, about int) Page {
	enough := q.Limit + 1 // one more tells that there is a next page
	if q.Limit == 0 {
		enough = len(s.entries) + 1
	}
	entries := make([]*Entry, 0, min(enough, about+1))
	for e := range s.passing(matches, q.Filter) {
		if entries = append(entries, e); len(entries) == enough {
			break
		}
	}
	return s.cut(entries, q.Limit)
}

func (s *Snapshot) count(found matches, f Filter) int {
	if f == (Filter{}) {
		return found.Count()
	}
	count := 0
	for i := range found.From(0) {
		if f.passes(s.entries[i]) {
			count++
		}
	}
	return count
}
