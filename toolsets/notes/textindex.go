package notes

import (
	"strings"
	"sync"
	"unicode/utf8"

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
	// Start is where in the content the best match begins, in code points; 0 if only
	// the title, the path or tags match.
	Start int
}

// Search returns the notes of a snapshot that fit a query, best first, then by id; at
// most limit, and how many there are. Each match is the one that is followed within
// reach bytes by most of the query.
func (x *TextIndex) Search(s *Snapshot, query string, limit, reach int) (matches []Match, total int) {
	result := x.of(s).Rank(query)
	matches = make([]Match, min(len(result.Hits), limit))
	for i := range matches {
		hit := result.Hits[i]
		n := s.notes[hit.Document]
		content := n.Content()
		start := utf8.RuneCountInString(content[:result.Window(content, reach).Start])
		matches[i] = Match{n, float64(hit.Score) / float64(ranked.MaxScore), start}
	}
	return matches, len(result.Hits)
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
