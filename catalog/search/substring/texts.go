package substring

import (
	"iter"
	"slices"
	"sync/atomic"

	"instruction-catalog/catalog/search/fold"
)

// terminators follow each title and each body, so that a gram that starts in a title or
// body never reaches the next one. Valid UTF-8 never contains the terminator byte.
const (
	terminator  = 0xFF
	terminators = "\xFF\xFF\xFF"
)

// texts holds the folded texts of a segment.
type texts struct {
	folded   []byte // the texts, one after another
	ends     []int  // the offset in folded at which each text ends
	postings atomic.Pointer[postings]
}

func foldTexts(n int, text func(i int) Text) *texts {
	list, size := make([]Text, n), 0
	for i := range list {
		list[i] = text(i)
		size += len(list[i].Title) + len(list[i].Body) + 2*len(terminators)
	}
	size += size / 64 // some characters get longer when folded
	s := &texts{folded: make([]byte, 0, size), ends: make([]int, n)}
	for i, t := range list {
		s.folded = append(fold.Append(s.folded, t.Title), terminators...)
		s.folded = append(fold.Append(s.folded, t.Body), terminators...)
		s.ends[i] = len(s.folded)
	}
	s.folded = slices.Clip(s.folded)
	return s
}

func (s *texts) len() int { return len(s.ends) }

// text returns text i with its terminators.
func (s *texts) text(i int) []byte {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.folded[start:s.ends[i]]
}

// build builds the postings if they are missing.
func (s *texts) build(b *builder) {
	if s.postings.Load() == nil {
		s.postings.Store(b.build(s))
	}
}

// find yields the texts that contain n, in ascending order, starting at from. The query of
// n must not be empty.
func (s *texts) find(n *needle, from int) iter.Seq[int] {
	return func(yield func(int) bool) {
		candidates, exact := s.candidates(n.query)
		for i := range candidates.from(from) {
			if (exact || n.in(s.text(i))) && !yield(i) {
				return
			}
		}
	}
}

// candidates returns the texts that may contain the folded query q. If exact is true, all
// of them do.
func (s *texts) candidates(q string) (set bitmap, exact bool) {
	if p := s.postings.Load(); p != nil {
		return p.candidates(q)
	}
	set = newBitmap(s.len())
	set.fill(s.len())
	return set, false
}
