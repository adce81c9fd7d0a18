package catalog

import (
	"sync"

	"instruction-catalog/catalog/search/substring"
)

// BuildIndex builds the search index, unless it exists. Until then searches return
// the same results, but look at more texts.
func (s *Snapshot) BuildIndex() { s.index.Build() }

// indexAfter makes the indexes. They share unchanged parts with those of the snapshot
// before, which may be nil.
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
