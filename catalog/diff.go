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

// Diff returns what a client that knows so much has to change to hold the catalog.
// Entries that it does not name are added, so that a client may tell of a part
// only. Where an id is known twice, the first counts.
func (s *Snapshot) Diff(known []Known) Changes {
	var changes Changes
	remembered := make(map[ID]Fingerprint, len(known))
	for _, k := range known {
		if _, twice := remembered[k.ID]; twice {
			continue
		}
		remembered[k.ID] = k.SourceHash
		if _, served := s.position[k.ID]; !served {
			changes.Removed = append(changes.Removed, k.ID)
		}
	}
	slices.Sort(changes.Removed)
	for _, e := range s.entries {
		switch hash, ok := remembered[e.ID]; {
		case !ok:
			changes.Added = append(changes.Added, e)
		case hash != e.SourceHash:
			changes.Updated = append(changes.Updated, e)
		}
	}
	return changes
}
