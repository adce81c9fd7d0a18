package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Filter restricts a query to some entries. The zero value passes all entries.
type Filter struct {
	Category    string // case-insensitive; "" for any
	Requirement Requirement
	Audience    Audience
	Load        LoadMode
	Status      Status
	Only        *Selection // nil for any
	AppliesTo   string     // a file's path in the repository, with slashes: passes entries that apply to the file; "" for any
}

// Selection is a filter whose criterion the caller defines.
type Selection struct {
	Name string // identifies the selection in cursors
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
	page, _ := s.Find(Query{Filter: f}) // Find fails only for an invalid cursor
	return page.Entries
}

// Sort is the order of a list. The zero value is the default order: by id, or best first
// in a ranked search.
type Sort string

// SortPriority sorts by priority, with 1 first. Entries of equal priority are in the
// order of [CompareForce].
const SortPriority Sort = "priority"

// Query selects the entries that contain a text and pass a filter. The zero value
// selects all entries, in id order.
type Query struct {
	Text   string // text to find in title or body, ignoring case; "" matches every entry
	Filter Filter
	Sort   Sort
	Limit  int    // maximum number of entries on the page; 0 for all
	After  Cursor // the cursor from the previous page; "" for the first page
	Count  bool   // also count all results; if false, Find stops when the page is complete
	Merge  bool   // return only the first of the entries with the same body; see Page.Duplicates
}

// Page is one page of the results of a query.
type Page struct {
	Entries    []*Entry
	Count      int        // number of results on all pages; 0 if Query.Count is not set
	Next       Cursor     // cursor of the next page; "" on the last page
	Duplicates Duplicates // the entries merged into others; nil if Query.Merge is not set
}

// Find returns the page of results that q asks for. It ignores case by Unicode's full
// case folding, so that STRASSE finds Straße. The errors are [ErrCursorForm],
// [ErrCursorStale] and [ErrCursorOther].
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
	enough := q.Limit + 1 // one more shows that there is a next page
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

// findAll is Find for queries whose pages depend on all results: those sorted by
// priority or merged.
func (s *Snapshot) findAll(q Query) (Page, error) {
	q.Filter.Category = strings.ToLower(q.Filter.Category)
	found, _ := s.Find(Query{Text: q.Text, Filter: q.Filter}) // Find fails only for an invalid cursor
	entries, duplicates := found.Entries, Duplicates(nil)
	question := questionOf("text\x00"+q.Text, q.Filter)
	if q.Sort == SortPriority {
		slices.SortFunc(entries, comparePriority)
		question = question.byPriority()
	}
	if q.Merge {
		entries, duplicates = mergeEqual(entries)
		question = question.merged()
	}
	l := ordered{s, question, entries}
	start, err := l.after(q.After)
	if err != nil {
		return Page{}, err
	}
	end, next := l.cut(start, q.Limit)
	page := Page{Entries: entries[start:end], Next: next, Duplicates: duplicates}
	if q.Count {
		page.Count = len(entries)
	}
	return page, nil
}

func comparePriority(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), CompareForce(a, b))
}
