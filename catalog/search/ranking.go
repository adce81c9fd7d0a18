package search

import "runtime"

// A Document is what is ranked: fields of text, in any case and any encoding.
type Document struct {
	ID, Title, Categories, Summary, Body string
}

// Documents are what is ranked, numbered from 0. They are handed over one by one,
// as they are needed, so that nobody has to keep them in this form. Its functions
// must say the same at each call and be safe for concurrent use.
type Documents struct {
	Len  int
	Size func(i int) int // about how many bytes the ith has; a wrong one costs time only
	At   func(i int) Document
}

// A Ranking answers which of its documents fit a query, and how well. It is
// immutable and safe for concurrent use. The zero Ranking has no documents.
type Ranking struct {
	documents int
	words     vocabulary
	// The postings of a word are those from its start to the start of the next
	// word, in the order of documents: where the word occurs, and how much the
	// document is about it.
	starts  []uint32
	where   []uint32
	weights []weight
}

// NewRanking indexes documents, on as many goroutines as GOMAXPROCS allows. The
// result depends on documents alone.
func NewRanking(documents Documents) *Ranking {
	return newRanking(documents, runtime.GOMAXPROCS(0))
}

func newRanking(documents Documents, workers int) *Ranking {
	tallies := tallyAll(&documents, workers)
	r := &Ranking{documents: documents.Len, words: vocabularyOf(tallies)}
	r.post(tallies)
	return r
}

// postings returns in which documents a word occurs, ascending, and its weights
// there.
func (r *Ranking) postings(word int) (where []uint32, weights []weight) {
	start, end := r.starts[word], r.starts[word+1]
	return r.where[start:end], r.weights[start:end]
}
