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
// ask about a part only. Where an id is known twice, the first counts. It is
// fastest where the ids come in order, as they come from the catalog.
func (s *Snapshot) Diff(known []Known) Changes {
	standings := make([]standing, len(s.entries))
	var c Changes
	next := 0
	for i := range known {
		k := &known[i]
		at, ok := s.locate(k.ID, next)
		if !ok {
			c.Removed = append(c.Removed, k.ID)
			continue
		}
		next = at + 1
		if standings[at] == unknown {
			standings[at] = s.entries[at].standing(k.SourceHash)
		}
	}
	for i, standing := range standings {
		switch standing {
		case unknown:
			c.Added = append(c.Added, s.entries[i])
		case stale:
			c.Updated = append(c.Updated, s.entries[i])
		}
	}
	slices.Sort(c.Removed)
	c.Removed = slices.Compact(c.Removed)
	return c
}

// locate finds the entry with an id, which is probably the next one.
func (s *Snapshot) locate(id ID, next int) (at int, ok bool) {
	if next < len(s.entries) && s.entries[next].ID == id {
		return next, true
	}
	at, ok = s.position[id]
	return at, ok
}

// standing is what a client has of an entry.
type standing uint8

const (
	unknown standing = iota // nothing
	stale                   // another body
	current
)

func (e *Entry) standing(known Fingerprint) standing {
	if known == e.SourceHash {
		return current
	}
	return stale
}
