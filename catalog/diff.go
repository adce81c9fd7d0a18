package catalog

import "slices"

// Known is what a client remembers of an entry.
type Known struct {
	ID         ID          `json:"id"`
	SourceHash Fingerprint `json:"sourceHash"`
	EntryHash  Fingerprint `json:"entryHash,omitempty"` // counts instead, where it is known
}

// isCurrent reports whether the client has the entry as it is.
func (k Known) isCurrent(e *Entry) bool {
	if k.EntryHash != "" {
		return k.EntryHash == e.Hash()
	}
	return k.SourceHash == e.SourceHash
}

// Changes turn what a client knows into the catalog. All three are in id order.
type Changes struct {
	Added   []*Entry
	Updated []*Entry
	Removed []ID
}

// Empty reports whether there is nothing to change.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Updated)+len(c.Removed) == 0 }

// Diff returns what a client that knows so much has to change to hold the catalog.
// Entries that it does not name are added, so that a client may tell of a part
// only. Where an id is known twice, the first counts.
func (s *Snapshot) Diff(known []Known) Changes {
	const stale, current = 1, 2 // what a client has of an entry; 0 for nothing
	has := make([]byte, len(s.entries))
	var changes Changes
	for _, k := range known {
		at, served := s.position[k.ID]
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
