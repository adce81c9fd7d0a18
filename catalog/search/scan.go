package search

import "iter"

// A Scan answers as an [Index] of its texts does, without one: it folds and
// compares one text after the other. It is there for the time in which the index
// is built.
type Scan struct {
	texts Texts
}

// NewScan returns a scan of texts.
func NewScan(texts Texts) Scan { return Scan{texts} }

// Find returns all texts that contain q, as [Index.Find] does.
func (s Scan) Find(q string) *Matches {
	if q == "" {
		return allMatches(s.texts.Len)
	}
	m := newMatches(s.texts.Len)
	m.reserve()
	for i := range s.FindFrom(q, 0) {
		m.words.set(i)
	}
	return m
}

// FindFrom returns the same texts one after the other, as [Index.FindFrom] does.
func (s Scan) FindFrom(q string, first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if q == "" {
			for i := max(first, 0); i < s.texts.Len && yield(i); i++ {
			}
			return
		}
		n := newNeedle(Fold(q), &s.texts)
		r := reader{texts: &s.texts}
		var folded []byte
		for i := max(first, 0); i < s.texts.Len; i++ {
			folded = r.title(folded[:0], i)
			body := len(folded)
			folded = r.body(folded, s.texts.Body(i))
			if n.in(folded[body:]) || n.in(folded[:body]) {
				if !yield(i) {
					return
				}
			}
		}
	}
}
