package notes

import (
	"strings"
	"sync"

	"instruction-catalog/catalog/search/ranked"
)

// TextIndex finds notes by their words. It is built at the first search, and again
// at the first one in a newer snapshot, from what is still the same. The zero value
// is ready, and may be used by any number of goroutines.
type TextIndex struct {
	mu       sync.Mutex
	snapshot *Snapshot
	index    *ranked.Index
}

// Match is a note that was found.
type Match struct {
	*Note
	Score float64 // above 0, at most 1
}

// Search returns the notes of a snapshot that fit a query, best first, then by id;
// at most limit.
func (x *TextIndex) Search(s *Snapshot, query string, limit int) []Match {
	hits := x.of(s).Rank(query).Hits
	matches := make([]Match, min(len(hits), limit))
	for i := range matches {
		matches[i] = Match{s.notes[hits[i].Document], float64(hits[i].Score) / float64(ranked.MaxScore)}
	}
	return matches
}

func (x *TextIndex) of(s *Snapshot) *ranked.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.snapshot != s {
		key := func(i int) string { return string(s.notes[i].ID) + "\x00" + s.notes[i].Hash() }
		x.index = ranked.New(len(s.notes), key, func(i int) ranked.Document {
			n := s.notes[i]
			return ranked.Document{
				ID: string(n.ID), Title: n.Title(), Categories: strings.Join(n.Parts.Tags, " "), Body: n.Content(),
			}
		}, x.index)
		x.snapshot = s
	}
	return x.index
}
