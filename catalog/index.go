package catalog

import "instruction-catalog/catalog/search/substring"

// BuildIndex builds what makes searching fast, unless it is there. Searches in the
// meantime find the same by looking at more texts.
func (s *Snapshot) BuildIndex() { s.index.Build() }

func (s *Snapshot) newIndex() *substring.Index {
	return substring.New(len(s.entries), func(i int) substring.Text {
		e := s.entries[i]
		return substring.Text{Title: e.Title, Body: e.Body.Text()}
	}, nil)
}
