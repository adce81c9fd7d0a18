package catalog

import "slices"

// Known is what a client remembers of an entry.
type Known struct {
	ID         ID          `json:"id"`
	SourceHash Fingerprint `json:"sourceHash"`
}

// Changes turn what a client knows into the catalog. All three are in id order.
type Changes struct {
	Added   []*Entry
	Updated []*Entry
	Removed []ID
}

// Empty reports whether there is nothing to change.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Updated)+len(c.Removed) == 0 }

// Diff returns what a client that knows these entries has to change to hold
// the catalog. Entries that it does not name are added, so that a client may
// ask about a part only. Where an id is known twice, the first counts.
func (s *Snapshot) Diff(known []Known) Changes {
	seen := make([]bool, len(s.entries))
	stale := make([]bool, len(s.entries))
	var c Changes
	for _, k := range known {
		i, ok := s.position[k.ID]
		switch {
		case !ok:
			c.Removed = append(c.Removed, k.ID)
		case !seen[i]:
			seen[i] = true
			stale[i] = s.entries[i].SourceHash != k.SourceHash
		}
	}
	for i, e := range s.entries {
		switch {
		case !seen[i]:
			c.Added = append(c.Added, e)
		case stale[i]:
			c.Updated = append(c.Updated, e)
		}
	}
	slices.Sort(c.Removed)
	c.Removed = slices.Compact(c.Removed)
	return c
}
