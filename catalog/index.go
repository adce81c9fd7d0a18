package catalog

import (
	"sync"

	"instruction-catalog/catalog/search/substring"
)

// BuildIndex builds what makes searching fast, unless it is there. Searches in the
// meantime find the same by looking at more texts.
func (s *Snapshot) BuildIndex() { s.index.Build() }

// indexAfter makes the indexes, which share with those of the snapshot before, if
// there is one, what is the same.
func (s *Snapshot) indexAfter(before *Snapshot) {
	var index *substring.Index
	if before != nil {
		index = before.index
		s.ranked.Store(before.ranked.Load())
	}
	key := func(i int) string { return s.entries[i].Title + string(s.entries[i].SourceHash) }
	text := func(i int) substring.Text {
		return substring.Text{Title: s.entries[i].Title, Body: s.entries[i].Body.Text()}
	}
	s.index = substring.New(len(s.entries), key, text, index)
	s.ranking = sync.OnceValue(s.buildRanking)
}
