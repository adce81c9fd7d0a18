// Package substring finds the texts that contain a string, ignoring case (see package
// fold). A text has a title and a body. A match is within the title or within the body,
// never across both.
//
// An [Index] keeps the folded texts in segments of consecutive texts. A gram is three bytes
// of text and one bit of the next byte. For each gram, a segment records the texts that
// contain it: the gram's posting. For a query of at most three bytes, the result is the
// union of the postings of all grams that begin with it. For a longer query, the candidates
// are the texts in the postings of all its grams; each candidate is then compared with the
// query. Until the postings of a segment are built, all its texts are candidates.
//
// An index is immutable. The next index shares the segments whose texts are the same. The
// most expensive query is one whose parts occur in many texts, but not consecutively: in
// the worst case the search scans all text, at about 3 GB a second.
//
// The package does not rank, does not normalise, and does not read files.
package substring

import (
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/catalog/search/segment"
)

// Text is a text to search.
type Text struct{ Title, Body string }

// Index finds the texts that contain a string. It is safe for concurrent use. The zero
// Index has no texts.
type Index struct {
	segments segment.Row[*texts]
	built    sync.Once
}

// New returns an index of n texts, numbered from 0. Texts with the same key must be equal.
// The index shares segments with before, which may be nil. New folds the texts of the other
// segments; call [Index.Build] to build their postings. New calls key and text from several
// goroutines.
func New(n int, key func(i int) string, text func(i int) Text, before *Index) *Index {
	if before == nil {
		before = &Index{}
	}
	hash := func(i int) uint64 { return segment.Hash(key(i)) }
	content := func(first, end int) *texts {
		return foldTexts(end-first, func(i int) Text { return text(first + i) })
	}
	return &Index{segments: segment.NewRow(n, hash, before.segments, content)}
}

// segmentsPerBuilder is the number of segments for which Build starts another builder. Each
// builder uses memory and takes a processor from concurrent searches.
const segmentsPerBuilder = 64

// Build builds the missing postings of segments and returns when they are built. Later calls
// only wait for the first.
func (x *Index) Build() {
	x.built.Do(func() {
		var next atomic.Int64
		var workers sync.WaitGroup
		for range min(runtime.GOMAXPROCS(0), 1+len(x.segments)/segmentsPerBuilder) {
			workers.Go(func() {
				var b builder
				for i := int(next.Add(1)) - 1; i < len(x.segments); i = int(next.Add(1)) - 1 {
					x.segments[i].Content.build(&b)
				}
			})
		}
		workers.Wait()
	})
}

// Find yields the positions of the texts that contain q, in ascending order, starting at
// from. Every text contains the empty q. No text contains a q with the byte 0xFF, which
// never occurs in valid UTF-8. Texts are searched only as positions are requested.
func (x *Index) Find(q string, from int) iter.Seq[int] {
	q = fold.String(q)
	return func(yield func(int) bool) {
		switch {
		case q == "":
			for i := from; i < x.len() && yield(i); i++ {
			}
		case strings.IndexByte(q, terminator) < 0:
			x.find(newNeedle(q), from, yield)
		}
	}
}

func (x *Index) find(n *needle, from int, yield func(int) bool) {
	for _, s := range x.segments {
		if s.End <= from {
			continue
		}
		for i := range s.Content.find(n, max(from-s.First, 0)) {
			if !yield(s.First + i) {
				return
			}
		}
	}
}

func (x *Index) len() int {
	if len(x.segments) == 0 {
		return 0
	}
	return x.segments[len(x.segments)-1].End
}
