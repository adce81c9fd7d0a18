package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Filter narrows a question to some entries. Its zero value lets all pass.
type Filter struct {
	Category    string // case-insensitive; "" for any
	Requirement Requirement
	Audience    Audience
	Load        LoadMode
	Status      Status
	Only        *Selection // nil for all
	AppliesTo   string     // a path within the repository, with slashes: entries that count for that file; "" for any
}

// Selection is a choice of entries by what this package does not know.
type Selection struct {
	Name string // tells it from others
	Has  func(*Entry) bool
}

func (f Filter) passes(e *Entry) bool {
	return (f.Category == "" || slices.Contains(e.Categories, f.Category)) &&
		(f.Requirement == "" || e.Requirement == f.Requirement) &&
		(f.Audience == "" || e.Audience == f.Audience) &&
		(f.Load == "" || e.Load == f.Load) &&
		(f.Status == "" || e.Status == f.Status) &&
		(f.Only == nil || f.Only.Has(e)) &&
		(f.AppliesTo == "" || e.isFor(f.AppliesTo))
}

func (e *Entry) isFor(file string) bool {
	_, ok := e.AppliesTo(file)
	return ok
}

// List returns the entries that pass the filter, in id order.
func (s *Snapshot) List(f Filter) []*Entry {
	page, _ := s.Find(Query{Filter: f}) // there is no cursor that could be wrong
	return page.Entries
}

// Sort is the order of a list. Its zero value is the usual one: by id, and of a
// ranked search the best first.
type Sort string

// SortPriority: by priority, 1 first; then as [CompareForce] orders.
const SortPriority Sort = "priority"

// Query asks for the entries that contain a text and pass a filter. Its zero
// value asks for all, in id order.
type Query struct {
	Text   string // in title or body, whatever its case; "" is in every entry
	Filter Filter
	Sort   Sort
	Limit  int    // most entries on the page; 0 for all
	After  Cursor // where the page before ended; "" for the first page
	Count  bool   // whether to count; without that, no more is looked at than the page needs
	Merge  bool   // return entries with the same body once, as Page.Also says
}

// Page is a part of what a query finds.
type Page struct {
	Entries []*Entry
	Count   int    // of all that the query finds, on whichever page; 0 unless asked for
	Next    Cursor // what the next page comes after; "" on the last
	Also    Also   // if Query.Merge is set
}

// Find answers a query. Case is ignored in the sense of Unicode's full case
// folding: STRASSE finds Straße. Its errors are [ErrCursorForm], [ErrCursorStale]
// and [ErrCursorOther].
func (s *Snapshot) Find(q Query) (Page, error) {
	if q.Sort == SortPriority || q.Merge {
		return s.findAll(q)
	}
	start, err := s.startAfter(q.After)
	if err != nil {
		return Page{}, err
	}
	q.Filter.Category = strings.ToLower(q.Filter.Category)
	first := start
	if q.Count {
		first = 0
	}
	enough := q.Limit + 1 // one more tells that there is a next page
	if q.Limit == 0 {
		enough = len(s.entries) + 1
	}
	var entries []*Entry
	if q.Text == "" && q.Filter == (Filter{}) {
		entries = make([]*Entry, 0, min(enough, len(s.entries)))
	}
	count := 0
	for i := range s.index.Find(q.Text, first) {
		e := s.entries[i]
		if !q.Filter.passes(e) {
			continue
		}
		count++
		if i >= start && len(entries) < enough {
			entries = append(entries, e)
		}
		if len(entries) == enough && !q.Count {
			break
		}
	}
	page := s.cut(entries, q.Limit)
	if q.Count {
		page.Count = count
	}
	return page, nil
}

// findAll is Find for a page that depends on all that the query finds.
func (s *Snapshot) findAll(q Query) (Page, error) {
	q.Filter.Category = strings.ToLower(q.Filter.Category)
	found, _ := s.Find(Query{Text: q.Text, Filter: q.Filter}) // there is no cursor that could be wrong
	entries, also := found.Entries, Also(nil)
	question := questionOf("text\x00"+q.Text, q.Filter)
	if q.Sort == SortPriority {
		slices.SortFunc(entries, comparePriority)
		question = question.byPriority()
	}
	if q.Merge {
		entries, also = mergeEqual(entries)
		question = question.merged()
	}
	l := ordered{s, question, entries}
	start, err := l.after(q.After)
	if err != nil {
		return Page{}, err
	}
	end, next := l.cut(start, q.Limit)
	page := Page{Entries: entries[start:end], Next: next, Also: also}
	if q.Count {
		page.Count = len(entries)
	}
	return page, nil
}

func comparePriority(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), CompareForce(a, b))
}
