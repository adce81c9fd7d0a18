package catalog

import (
	"slices"
	"strings"
)

// Page returns up to limit of the entries that come after the cursor (all of
// them for limit 0), and the cursor of the next page, which is empty on the
// last. The entries must be in id order. Its errors are [ErrCursorForm],
// [ErrCursorStale] and [ErrCursorOther].
func (s *Snapshot) Page(entries []*Entry, limit int, after Cursor) ([]*Entry, Cursor, error) {
	if after != "" {
		place, err := s.openCursor(after)
		if err != nil {
			return nil, "", err
		}
		if place.last == "" {
			return nil, "", ErrCursorOther
		}
		start, found := slices.BinarySearchFunc(entries, place.last, func(e *Entry, id ID) int {
			return strings.Compare(string(e.ID), string(id))
		})
		if found {
			start++
		}
		entries = entries[start:]
	}
	if limit == 0 || limit >= len(entries) {
		return entries, "", nil
	}
	return entries[:limit], s.newCursor(place{last: entries[limit-1].ID}), nil
}
