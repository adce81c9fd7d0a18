package catalog

import (
	"runtime"

	"instruction-catalog/catalog/search"
)

// BuildIndex builds the index that makes searching fast, unless it is there, or
// waits until it is if another does. Searches in the meantime find the same by
// going through all texts, on the processor that is left to them.
func (s *Snapshot) BuildIndex() {
	s.building.Do(func() {
		s.index.Store(search.New(s.texts(), max(1, runtime.GOMAXPROCS(0)-1)))
	})
}

func (s *Snapshot) finder() finder {
	if index := s.index.Load(); index != nil {
		return index
	}
	return s.scan
}

// texts are what a search looks at, the positions being those of the entries.
func (s *Snapshot) texts() search.Texts {
	return search.Texts{
		Len:    len(s.entries),
		Title:  func(i int) string { return s.entries[i].Title },
		Body:   func(i int) string { return s.entries[i].Body.unquoted() },
		Decode: appendUnescaped,
		Cut:    cutEscaped,
	}
}
