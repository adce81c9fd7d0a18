package catalog

import (
	"sort"
	"strings"
)

// Page returns up to limit of the entries that follow the cursor, and the cursor of the
// next page. If limit is 0, it returns all that follow. The cursor of the next page is
// empty on the last page. The entries must be in id order. The errors are
// [ErrCursorForm], [ErrCursorStale] and [ErrCursorOther].
func (s *Snapshot) Page(entries []*Entry, limit int, after Cursor) ([]*Entry, Cursor, error) {
	last, err := s.openList(after)
	if err != nil {
		return nil, "", err
	}
	page := s.cut(entries[following(entries, last):], limit)
	return page.Entries, page.Next, nil
}

// cut returns the first page of entries.
func (s *Snapshot) cut(entries []*Entry, limit int) Page {
	if limit == 0 || limit >= len(entries) {
		return Page{Entries: entries}
	}
	return Page{Entries: entries[:limit], Next: s.newCursor(entries[limit-1].ID)}
}

// startAfter returns the position in s.entries of the first entry that follows the
// cursor.
func (s *Snapshot) startAfter(c Cursor) (int, error) {
	last, err := s.openList(c)
	return following(s.entries, last), err
}

// following returns the position of the first entry after an id, or 0 if the id is
// empty. The entries must be in id order.
func following(entries []*Entry, last ID) int {
	if last == "" {
		return 0
	}
	return sort.Search(len(entries), func(i int) bool { return strings.Compare(string(entries[i].ID), string(last)) > 0 })
}
