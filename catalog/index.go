package catalog

import "instruction-catalog/catalog/search/substring"

// BuildIndex builds what makes searching fast, unless it is there. Searches in the
// meantime find the same by looking at more texts.
func (s *Snapshot) BuildIndex() { s.index.Build() }

func (s *Snapshot) newIndex() *substring.Index {
	key := func(i int) string { return s.entries[i].Title + string(s.entries[i].SourceHash) }
	text := func(i int) substring.Text {
		return substring.Text{Title: s.entries[i].Title, Body: s.entries[i].Body.Text()}
	}
	return substring.New(len(s.entries), key, text, nil)
}
