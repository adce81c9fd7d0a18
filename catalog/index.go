package catalog

import (
	"sync"

	"instruction-catalog/catalog/search/substring"
)

// BuildIndex builds the search index if it has not been built. Before that, searches
// return the same results but examine more texts.
func (s *Snapshot) BuildIndex() { s.index.Build() }

// indexAfter sets the search indexes of s. before is the previous snapshot, or nil; the
// indexes share the parts that have not changed since then.
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
