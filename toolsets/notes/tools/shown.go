package tools

import (
	"slices"
	"sync"

	"instruction-catalog/toolsets/notes"
)

// maxShown is how many notes at least are remembered of which a part was shown, the
// latest ones.
const maxShown = 10_000

// shown is how much of which notes answers have shown, of all sessions. The zero
// value is ready.
type shown struct {
	mu             sync.Mutex
	recent, before map[notes.ID]shownNote // before is recent as it was when it was full
}

// shownNote is how much of a note was shown. Lengths are in code points, 0 for none.
type shownNote struct {
	hash  string // of the file that was shown last
	cut   int    // the longest part that was shown under that hash
	since int    // the longest part that was shown since the note was last shown whole
	parts []span // what was shown under that hash, in order, with gaps between
}

// span is a range of a note's content, in code points.
type span struct{ start, end int }

// overlap returns how many code points two spans share.
func (s span) overlap(other span) int { return max(0, min(s.end, other.end)-max(s.start, other.start)) }

// merge adds a span to others, which are in order and have gaps between them.
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

// add remembers that a part of a note was shown in so many code points, or all of it.
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

// longest returns the length of the longest part of a note that a client may take
// for the whole, 0 for none.
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

// longestOf returns the length of the longest part of a span of a note that was shown
// under the hash that the note has.
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

// rename has a note remembered under its new id.
func (s *shown) rename(from, to notes.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, known := s.get(from); known && from != to {
		s.set(to, r)
	}
}
