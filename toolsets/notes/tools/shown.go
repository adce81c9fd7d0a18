package tools

import (
	"slices"
	"sync"

	"instruction-catalog/toolsets/notes"
)

// maxShown is the number of notes in a generation of records. When recent is full, it
// becomes before, and the previous before is dropped. At least the last maxShown shown
// notes are remembered.
const maxShown = 10_000

// shown records which parts of notes were shown in answers, across all sessions. The
// zero value is ready to use.
type shown struct {
	mu             sync.Mutex
	recent, before map[notes.ID]shownNote // before is the previous generation
}

// shownNote records what was shown of a note. Lengths are in code points. A length of 0
// means that no part was shown.
type shownNote struct {
	hash  string // of the file when it was last shown
	cut   int    // length of the longest part shown under that hash
	since int    // length of the longest part shown since the note was last shown whole
	parts []span // ranges shown under that hash, sorted and disjoint
}

// span is a range of a note's content, in code points.
type span struct{ start, end int }

// overlap returns the number of code points that two spans share.
func (s span) overlap(other span) int { return max(0, min(s.end, other.end)-max(s.start, other.start)) }

// merge adds a span to spans, which are sorted and disjoint, and returns the sorted
// disjoint result.
func merge(spans []span, added span) []span {
	apart := func(s span) bool { return s.end < added.start || s.start > added.end }
	kept := []span{}
	for _, s := range spans {
		if apart(s) {
			kept = append(kept, s)
		} else {
			added = span{min(s.start, added.start), max(s.end, added.end)}
		}
	}
	kept = append(kept, added)
	slices.SortFunc(kept, func(a, b span) int { return a.start - b.start })
	return kept
}

func (s *shown) get(id notes.ID) (shownNote, bool) {
	if r, ok := s.recent[id]; ok {
		return r, true
	}
	r, ok := s.before[id]
	return r, ok
}

func (s *shown) set(id notes.ID, r shownNote) {
	if s.recent == nil || len(s.recent) >= maxShown {
		s.recent, s.before = map[notes.ID]shownNote{}, s.recent
	}
	s.recent[id] = r
}

// add records that a part of a note was shown, with length code points. whole is set if
// the part is the whole content.
func (s *shown) add(n *notes.Note, part span, length int, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.get(n.ID)
	if whole && !known {
		return
	}
	if hash := n.Hash(); r.hash != hash {
		r.hash, r.cut, r.parts = hash, 0, nil
	}
	r.parts = merge(r.parts, part)
	if whole {
		r.since = 0
	} else {
		r.cut, r.since = max(r.cut, length), max(r.since, length)
	}
	s.set(n.ID, r)
}

// longest returns the length of the longest shown part of a note that a client may
// mistake for the whole. It returns 0 if there is no such part.
func (s *shown) longest(n *notes.Note) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.get(n.ID)
	if !known || r.cut == 0 && r.since == 0 {
		return 0
	}
	if r.hash == n.Hash() {
		return max(r.cut, r.since)
	}
	return r.since
}

// longestOf returns the length of the longest piece of the span that was shown under the
// note's current hash.
func (s *shown) longestOf(n *notes.Note, of span) (longest int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, known := s.get(n.ID); known && r.hash == n.Hash() {
		for _, part := range r.parts {
			longest = max(longest, part.overlap(of))
		}
	}
	return longest
}

// rename copies the record of a note to its new id.
func (s *shown) rename(from, to notes.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, known := s.get(from); known && from != to {
		s.set(to, r)
	}
}
