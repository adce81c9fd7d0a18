package catalog

import (
	"slices"
	"strings"
)

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

// Comparison takes what a client knows, one entry after the other, and finds out
// what it has to change to hold the catalog. Entries that it does not name are
// added, so that a client may tell of a part only. Where an id is known twice,
// the first counts. It is fastest where the ids come in order, as they come from
// the catalog.
type Comparison struct {
	snapshot  *Snapshot
	roll      *roll
	standings []standing
	next      int // the entry that is probably told of next
	removed   []ID
}

// Compare begins a comparison.
func (s *Snapshot) Compare() *Comparison {
	return &Comparison{snapshot: s, roll: s.roll(), standings: make([]standing, len(s.entries))}
}

// Expected returns what a client that holds the catalog probably tells next: a
// [Known] as JSON, as it is usually written; nothing after the last one.
func (c *Comparison) Expected() []byte { return c.roll.at(c.next) }

// AsExpected takes what [Comparison.Expected] returned.
func (c *Comparison) AsExpected() {
	c.note(c.next, current)
	c.next++
}

// Take takes whatever a client tells of an entry. It keeps no part of it.
func (c *Comparison) Take(k Known) {
	at, ok := c.locate(k.ID)
	if !ok {
		c.removed = append(c.removed, ID(strings.Clone(string(k.ID))))
		return
	}
	c.next = at + 1
	if c.roll.known[at].SourceHash == k.SourceHash {
		c.note(at, current)
	} else {
		c.note(at, stale)
	}
}

// note keeps the first that a client tells of an entry.
func (c *Comparison) note(at int, s standing) {
	if c.standings[at] == unknown {
		c.standings[at] = s
	}
}

// locate finds the entry with an id.
func (c *Comparison) locate(id ID) (at int, ok bool) {
	if known := c.roll.known; c.next < len(known) && known[c.next].ID == id {
		return c.next, true
	}
	at, ok = c.snapshot.position[id]
	return at, ok
}

// Changes returns what the client has to change.
func (c *Comparison) Changes() Changes {
	var changes Changes
	for i, standing := range c.standings {
		switch standing {
		case unknown:
			changes.Added = append(changes.Added, c.snapshot.entries[i])
		case stale:
			changes.Updated = append(changes.Updated, c.snapshot.entries[i])
		}
	}
	slices.Sort(c.removed)
	changes.Removed = slices.Compact(c.removed)
	return changes
}

// standing is what a client has of an entry.
type standing uint8

const (
	unknown standing = iota // nothing
	stale                   // another body
	current
)
