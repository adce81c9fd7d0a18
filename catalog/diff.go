package catalog

import "slices"

// Known is a client's record of an entry.
type Known struct {
	ID         ID          `json:"id"`
	SourceHash Fingerprint `json:"sourceHash"`
	EntryHash  Fingerprint `json:"entryHash,omitempty"` // if set, compared instead of SourceHash
}

// isCurrent reports whether the client's record matches the current entry.
func (k Known) isCurrent(e *Entry) bool {
	if k.EntryHash != "" {
		return k.EntryHash == e.Hash()
	}
	return k.SourceHash == e.SourceHash
}

// Changes are the differences between a client's records and the catalog. Each of the
// three lists is in id order.
type Changes struct {
	Added   []*Entry
	Updated []*Entry
	Removed []ID
}

// Empty reports whether there are no changes.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Updated)+len(c.Removed) == 0 }

// PageOfChanges returns up to limit of the changes in c that follow the cursor, and the
// cursor of the next page. c holds the changes since the token since. If limit is 0, it
// returns all that follow. The cursor of the next page is empty on the last page. Pages
// are in id order across all three kinds of change. The errors are those of
// [Snapshot.Page].
func (s *Snapshot) PageOfChanges(c Changes, since Fingerprint, limit int, after Cursor) (Changes, Cursor, error) {
	last, err := s.openChanges(since, after)
	if err != nil {
		return Changes{}, "", err
	}
	if last == "" && limit == 0 {
		return c, "", nil
	}
	ids := slices.Clone(c.Removed)
	for _, e := range slices.Concat(c.Added, c.Updated) {
		ids = append(ids, e.ID)
	}
	slices.Sort(ids)
	begin, found := slices.BinarySearch(ids, last)
	if found {
		begin++
	}
	end := len(ids)
	if limit > 0 {
		end = min(end, begin+limit)
	}
	var next Cursor
	if end < len(ids) {
		next = s.newChangesCursor(since, ids[end-1])
	}
	return c.only(ids[begin:end]), next, nil
}

// only returns the changes to the given entries. The ids must be sorted.
func (c Changes) only(ids []ID) Changes {
	among := func(id ID) bool { _, ok := slices.BinarySearch(ids, id); return ok }
	other := func(e *Entry) bool { return !among(e.ID) }
	return Changes{
		Added:   slices.DeleteFunc(slices.Clone(c.Added), other),
		Updated: slices.DeleteFunc(slices.Clone(c.Updated), other),
		Removed: slices.DeleteFunc(slices.Clone(c.Removed), func(id ID) bool { return !among(id) }),
	}
}

// Diff returns the changes that bring a client with these records up to date. It reports
// an entry as added if known does not contain it. If known contains an id twice, Diff
// uses the first record.
func (s *Snapshot) Diff(known []Known) Changes {
	const stale, current = 1, 2 // the state of the client's record of an entry; 0 if it has none
	has := make([]byte, len(s.entries))
	var changes Changes
	next := 0
	for _, k := range known {
		at, served := next, next < len(s.entries) && s.entries[next].ID == k.ID // usually true, because clients send their records in id order
		if !served {
			at, served = s.position[k.ID]
		}
		if served {
			next = at + 1
		}
		switch {
		case !served:
			changes.Removed = append(changes.Removed, k.ID)
		case has[at] != 0:
		case k.isCurrent(s.entries[at]):
			has[at] = current
		default:
			has[at] = stale
		}
	}
	slices.Sort(changes.Removed)
	changes.Removed = slices.Compact(changes.Removed)
	for at, e := range s.entries {
		switch has[at] {
		case 0:
			changes.Added = append(changes.Added, e)
		case stale:
			changes.Updated = append(changes.Updated, e)
		}
	}
	return changes
}
