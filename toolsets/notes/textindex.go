package notes

import (
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/catalog/search/ranked"
)

// TextIndex finds notes by words. The first search builds the index. The first search in
// a newer snapshot rebuilds it and reuses unchanged documents. The zero value is ready
// to use. TextIndex is safe for concurrent use.
type TextIndex struct {
	mu       sync.Mutex
	snapshot *Snapshot
	index    *ranked.Index
}

// Match is a note found by a search.
type Match struct {
	*Note
	Score float64 // above 0, at most 1
	// Start is the offset of the best match in the content, in code points. It is 0 if
	// only the title, the path or tags match.
	Start int
}

// Search returns at most limit notes of s that match query, sorted by descending score
// and then by id, and the total number of matches. The best match within a note is the
// position from which the next reach bytes contain most of the query.
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
