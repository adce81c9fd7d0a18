// Package substring finds the texts that contain a string, whatever its case (see
// package fold). A text has a title and a body; a match lies in one of them, never
// across the two.
//
// An [Index] keeps the folded texts, in segments of neighbours. For each gram, which
// is three bytes and a bit of the next, a segment records the texts in which it
// occurs: its posting. A query of at most three bytes is answered by the postings of
// all grams that begin with it. The candidates for a longer query are the texts in
// the postings of all its grams; each is then compared with the query. Until the
// postings of a segment are built, all its texts are candidates.
//
// An index never changes. The next one shares those segments whose texts are the
// same. What costs most is a query whose parts are in many texts, but not in a row:
// in the worst case all text is looked at, some 3 GB a second.
//
// The package never ranks, never normalises, and reads no files.
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

// Text is what is searched.
type Text struct{ Title, Body string }

// Index answers which of its texts contain a string. It may be used by any number
// of goroutines. The zero Index has no texts.
type Index struct {
	segments segment.Row[*texts]
	built    sync.Once
}

// New returns an index of n texts, numbered from 0; those with the same key are the
// same. It shares segments with the index before, which may be nil. Its own texts are
// folded; [Index.Build] does the rest. Both functions are called by several
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

// segmentsPerBuilder is how many segments justify one more builder, which takes a
// processor from concurrent searches, and memory.
const segmentsPerBuilder = 64

// Build builds the postings of those segments that have none, once, and returns when
// they are there.
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

// Find returns the positions of the texts that contain q, ascending, from a position
// on. An empty q is in every text; one with a byte that UTF-8 never has may be in none.
// Texts are looked at as positions are asked for.
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
