package catalog

import (
	"runtime"

	"instruction-catalog/catalog/search"
)

// BuildIndex builds the index that makes searching fast, unless it is there. Where
// another does already, it helps. Searches in the meantime find the same by going
// through all texts, on the processor that a single caller leaves to them.
func (s *Snapshot) BuildIndex() {
	if s.index.Load() != nil {
		return
	}
	builder := s.builder()
	builder.Work()
	s.index.Store(builder.Index())
}

// startBuilder returns a builder that is at work on all processors but two: that
// of the caller, who is to work, too, and one.
func (s *Snapshot) startBuilder() *search.Builder {
	builder := search.NewBuilder(s.texts())
	for range runtime.GOMAXPROCS(0) - 2 {
		go builder.Work()
	}
	return builder
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
		Encode: appendEscapes,
		Cut:    cutEscaped,
	}
}
