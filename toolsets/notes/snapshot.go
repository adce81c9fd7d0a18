package notes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"instruction-catalog/catalog/markdown"
	"instruction-catalog/catalog/search/nearest"
)

// Snapshot is all notes of a vault at one moment, with the graph of their links. It is
// immutable and safe for concurrent use.
type Snapshot struct {
	names   *names
	notes   []*Note   // sorted by id
	targets [][]int32 // by note: the target of each link, or none
	out     [][]int32 // by note: the targets of its links, without duplicates, sorted by id
	in      [][]int32 // by note: the notes that link to it, sorted by id
	unread  []Unread  // sorted by path

	tags  func() map[string][]int32 // indexes of notes by Key of their tags
	ranks func() []float64          // by note: its PageRank
	hubs  [3]func() []Hub           // by Metric: all notes
}

// NewSnapshot returns a snapshot of notes, whose ids must be unique. It reuses unchanged
// parts of before, which may be nil, and keeps its unread files.
func NewSnapshot(notes []*Note, before *Snapshot) *Snapshot {
	s := &Snapshot{notes: slices.SortedFunc(slices.Values(notes), func(a, b *Note) int { return strings.Compare(string(a.ID), string(b.ID)) })}
	known := before != nil && slices.EqualFunc(s.notes, before.notes, sameNames)
	if before != nil {
		s.unread = before.unread
	}
	if known {
		s.names = &names{s.notes, before.names.paths, before.names.files, before.names.titles}
	} else {
		s.names = newNames(s.notes)
	}
	s.targets, s.out = make([][]int32, len(s.notes)), make([][]int32, len(s.notes))
	for i, n := range s.notes {
		if known && before.notes[i].Parts == n.Parts {
			s.targets[i], s.out[i] = before.targets[i], before.out[i]
		} else {
			s.resolve(i)
		}
	}
	s.in = reversed(s.out)
	s.tags = sync.OnceValue(s.indexTags)
	s.ranks = sync.OnceValue(s.pageRank)
	for m := range s.hubs {
		s.hubs[m] = sync.OnceValue(func() []Hub { return s.rankHubs(Metric(m)) })
	}
	return s
}

// sameNames reports whether two notes have the same id and title, so that links find
// them by the same names.
func sameNames(a, b *Note) bool { return a.ID == b.ID && (a == b || a.Title() == b.Title()) }

// resolve computes the targets of the links of note i.
func (s *Snapshot) resolve(i int) {
	n := s.notes[i]
	if len(n.Parts.Links) == 0 {
		return
	}
	targets, find := make([]int32, len(n.Parts.Links)), s.names.finder(n.ID)
	for k := range n.Parts.Links {
		targets[k] = none
		if found := find(&n.Parts.Links[k]); len(found) > 0 {
			targets[k] = found[0]
		}
	}
	out := slices.DeleteFunc(slices.Clone(targets), func(t int32) bool { return t == none })
	slices.Sort(out)
	s.targets[i], s.out[i] = targets, slices.Clip(slices.Compact(out))
}

// reversed returns the graph with all edges reversed.
func reversed(out [][]int32) [][]int32 {
	degrees, edges := make([]int, len(out)), 0
	for _, targets := range out {
		edges += len(targets)
		for _, t := range targets {
			degrees[t]++
		}
	}
	all, in := make([]int32, edges), make([][]int32, len(out))
	for i, d := range degrees {
		in[i], all = all[:0:d], all[d:]
	}
	for i, targets := range out {
		for _, t := range targets {
			in[t] = append(in[t], int32(i))
		}
	}
	return in
}

// Notes returns all notes, sorted by id. The caller must not modify the slice.
func (s *Snapshot) Notes() []*Note { return s.notes }

// ChangedSince returns the ids of the notes that differ from those of before, including
// those that exist in only one of the two snapshots, sorted.
func (s *Snapshot) ChangedSince(before *Snapshot) []ID {
	old := make(map[ID]*Note, len(before.notes))
	for _, n := range before.notes {
		old[n.ID] = n
	}
	var changed []ID
	for _, n := range s.notes {
		if old[n.ID] != n {
			changed = append(changed, n.ID)
		}
		delete(old, n.ID)
	}
	changed = slices.AppendSeq(changed, maps.Keys(old))
	slices.Sort(changed)
	return changed
}

// AmbiguousError reports that several notes match the given id, each with a different
// spelling.
type AmbiguousError struct {
	Given string
	IDs   []ID
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q may be any of %q: spell it as one of them", e.Given, e.IDs)
}

// Find returns the note with the given id, or nil if there is none. If several notes
// match, it returns an [*AmbiguousError].
func (s *Snapshot) Find(id string) (*Note, error) {
	found := s.names.find(id)
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return s.notes[found[0]], nil
	}
	return nil, &AmbiguousError{id, s.ids(found)}
}

// Named returns the note that a wikilink with the given text refers to. It returns nil
// if there is no such note or more than one.
func (s *Snapshot) Named(text string) *Note {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "[["), "]]")
	text, _, _ = strings.Cut(text, "|")
	text, _, _ = strings.Cut(text, "#")
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	if found, _ := s.names.wiki("", text); len(found) == 1 {
		return s.notes[found[0]]
	}
	return nil
}

// Nearest returns the ids most similar to an unknown id, best first.
func (s *Snapshot) Nearest(id string) []string {
	ids := make([]string, len(s.notes))
	for i, n := range s.notes {
		ids[i] = string(n.ID)
	}
	return nearest.Of(id, ids)
}

func (s *Snapshot) ids(places []int32) []ID {
	ids := make([]ID, len(places))
	for i, place := range places {
		ids[i] = s.notes[place].ID
	}
	return ids
}

func (s *Snapshot) at(places []int32) []*Note {
	found := make([]*Note, len(places))
	for i, place := range places {
		found[i] = s.notes[place]
	}
	return found
}

// place returns the index of n. It panics if n is not in this snapshot.
func (s *Snapshot) place(n *Note) int32 {
	i, found := slices.BinarySearchFunc(s.notes, n.ID, func(n *Note, id ID) int { return strings.Compare(string(n.ID), string(id)) })
	if !found {
		panic("notes: " + string(n.ID) + " is not in this snapshot")
	}
	return int32(i)
}

// Resolve returns the notes that a link in the note from may refer to. The first is its
// target. The note from need not exist.
func (s *Snapshot) Resolve(from ID, l *markdown.Link) []*Note {
	return s.at(s.names.candidates(from, l))
}

// Resolver returns a function that is like [Snapshot.Resolve] for the links of the note
// from. It resolves each spelling once.
func (s *Snapshot) Resolver(from ID) func(*markdown.Link) []*Note {
	find := s.names.finder(from)
	return func(l *markdown.Link) []*Note { return s.at(find(l)) }
}

// ByTitle reports whether a link in the note from resolves only through the title of a
// note.
func (s *Snapshot) ByTitle(from ID, l *markdown.Link) bool {
	if l.Form != markdown.Wiki {
		return false
	}
	_, titled := s.names.wiki(from, l.Name)
	return titled
}

// Targets returns the target of each link of n, in the order of n.Parts.Links. The
// target of a broken link is nil.
func (s *Snapshot) Targets(n *Note) []*Note {
	targets := make([]*Note, len(n.Parts.Links))
	for k, t := range s.targets[s.place(n)] {
		if t != none {
			targets[k] = s.notes[t]
		}
	}
	return targets
}

// Links returns the notes that n links to, in the order of the links and without
// duplicates.
func (s *Snapshot) Links(n *Note) []*Note {
	var links []*Note
	i := s.place(n)
	seen := make([]bool, len(s.out[i]))
	for _, t := range s.targets[i] {
		if k, ok := slices.BinarySearch(s.out[i], t); ok && !seen[k] {
			seen[k] = true
			links = append(links, s.notes[t])
		}
	}
	return links
}
