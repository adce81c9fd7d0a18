package notes

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"instruction-catalog/catalog/markdown"
	"instruction-catalog/catalog/search/nearest"
)

// Snapshot is all notes at one moment, and the graph of their links. It never
// changes, and may be used by any number of goroutines.
type Snapshot struct {
	names   *names
	notes   []*Note   // by id
	targets [][]int32 // by note: where each of its links leads, or none
	out     [][]int32 // by note: where its links lead, each once, by id
	in      [][]int32 // by note: whose links lead there, by id

	tags  func() map[string][]int32 // notes by Key of their tags
	ranks func() []float64          // by note: its PageRank
	hubs  [3]func() []Hub           // by Metric: all notes
}

// NewSnapshot returns the snapshot of notes, each with another id. What has not
// changed since the snapshot before, which may be nil, is not worked out again.
func NewSnapshot(notes []*Note, before *Snapshot) *Snapshot {
	s := &Snapshot{notes: slices.SortedFunc(slices.Values(notes), func(a, b *Note) int { return strings.Compare(string(a.ID), string(b.ID)) })}
	known := before != nil && slices.EqualFunc(s.notes, before.notes, sameNames)
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

// sameNames reports whether links find two notes by the same names.
func sameNames(a, b *Note) bool { return a.ID == b.ID && (a == b || a.Title() == b.Title()) }

// resolve finds out where the links of a note lead.
func (s *Snapshot) resolve(i int) {
	n := s.notes[i]
	if len(n.Parts.Links) == 0 {
		return
	}
	targets := make([]int32, len(n.Parts.Links))
	for k := range n.Parts.Links {
		targets[k] = none
		if found := s.names.candidates(n.ID, &n.Parts.Links[k]); len(found) > 0 {
			targets[k] = found[0]
		}
	}
	out := slices.DeleteFunc(slices.Clone(targets), func(t int32) bool { return t == none })
	slices.Sort(out)
	s.targets[i], s.out[i] = targets, slices.Clip(slices.Compact(out))
}

// reversed returns the edges of a graph by where they lead.
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

// Notes returns all notes, by id. The caller must not change them.
func (s *Snapshot) Notes() []*Note { return s.notes }

// AmbiguousError says that several notes match the id that was given, each in another
// spelling.
type AmbiguousError struct {
	Given string
	IDs   []ID
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q may be any of %q: spell it as one of them", e.Given, e.IDs)
}

// Find returns the note with an id, or nil if there is none. The error is an
// [AmbiguousError].
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

// Named returns the one note that a wikilink with that text would lead to, and nil if
// there is none, or if there are several.
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

// Nearest returns the ids that are most like one that names no note, best first.
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

// place returns the position of a note of this snapshot. It panics if the note
// belongs to another one.
func (s *Snapshot) place(n *Note) int32 {
	i, found := slices.BinarySearchFunc(s.notes, n.ID, func(n *Note, id ID) int { return strings.Compare(string(n.ID), string(id)) })
	if !found {
		panic("notes: " + string(n.ID) + " is not in this snapshot")
	}
	return int32(i)
}

// Resolve returns the notes that a link in the note with that id may mean, beginning
// with the one that it is taken to mean. The note need not exist.
func (s *Snapshot) Resolve(from ID, l *markdown.Link) []*Note {
	return s.at(s.names.candidates(from, l))
}

// ByTitle reports whether a link in the note with that id leads anywhere by the title of
// a note only.
func (s *Snapshot) ByTitle(from ID, l *markdown.Link) bool {
	if l.Form != markdown.Wiki {
		return false
	}
	_, titled := s.names.wiki(from, l.Name)
	return titled
}

// Targets returns where each of the links of a note leads, in the order of its
// Parts.Links, nil for nowhere.
func (s *Snapshot) Targets(n *Note) []*Note {
	targets := make([]*Note, len(n.Parts.Links))
	for k, t := range s.targets[s.place(n)] {
		if t != none {
			targets[k] = s.notes[t]
		}
	}
	return targets
}

// Links returns the notes that a note links to, in the order in which it does,
// each once.
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
