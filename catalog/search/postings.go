package search

import (
	"math"
	"sync"
)

// The parameters of BM25F (Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009, section 3.6), at their usual values.
const (
	saturation   = 1.2  // k1: how slowly more of the same word comes to count nothing
	lengthEffect = 0.75 // b: how much less a word counts in a longer body
)

// A weight says how much a document is about a word that it has: from 1, for
// hardly, to mostWeight.
type weight uint16

const mostWeight = math.MaxUint16

// weight is the part of BM25F that does not depend on the query. Length is that
// of the body, as a multiple of the average.
func (c count) weight(length float64) weight {
	frequency := float64(c.head) + float64(c.body)/(1-lengthEffect+lengthEffect*length)
	return max(1, weight(math.Round(mostWeight*frequency/(saturation+frequency))))
}

// post makes the postings. Each tally knows the places of its own, so that all
// can be written at once.
func (r *Ranking) post(tallies []*tally) {
	places := r.layout(tallies)
	r.where = make([]uint32, r.starts[r.words.len()])
	r.weights = make([]weight, len(r.where))
	average := averageLength(tallies)
	var running sync.WaitGroup
	for i, t := range tallies {
		running.Go(func() {
			for document, c := range t.notes.all() {
				place := &places[i][c.word]
				r.where[*place] = uint32(t.first + document)
				r.weights[*place] = c.weight(float64(t.lengths[document]) / average)
				*place++
			}
			t.notes = notes{}
		})
	}
	running.Wait()
}

// layout sets starts, and returns for each tally, by its own number of a word,
// where the first of its postings comes: after those of the tallies before.
func (r *Ranking) layout(tallies []*tally) [][]uint32 {
	r.starts = make([]uint32, r.words.len()+1)
	places := make([][]uint32, len(tallies))
	numbers := make([][]int, len(tallies))
	for i, t := range tallies {
		places[i], numbers[i] = make([]uint32, len(t.words)), make([]int, len(t.words))
		for own, word := range t.words {
			number, _ := r.words.number(word)
			numbers[i][own] = number
			places[i][own] = r.starts[number+1]
			r.starts[number+1] += t.frequencies[own]
		}
	}
	for number := range r.words.len() {
		r.starts[number+1] += r.starts[number]
	}
	for i := range places {
		for own, number := range numbers[i] {
			places[i][own] += r.starts[number]
		}
	}
	return places
}

// averageLength is that of the bodies, in words, and at least 1.
func averageLength(tallies []*tally) float64 {
	words, documents := 0, 0
	for _, t := range tallies {
		for _, n := range t.lengths {
			words += int(n)
		}
		documents += len(t.lengths)
	}
	return float64(max(words, documents, 1)) / float64(max(documents, 1))
}
