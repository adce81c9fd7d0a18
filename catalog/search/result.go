package search

import (
	"math"
	"strconv"
)

// A Result is what a ranking has found for a query.
type Result struct {
	Hits  []Hit // best first; what scores alike in the order of documents
	terms []term
}

// A Hit is a document that fits a query.
type Hit struct {
	Document int // its position
	Score    Score
}

// A Score says how well a document fits a query, in hundredths: from 1 for
// hardly to 100 for best. It compares documents under one query, and says little
// across queries.
type Score uint8

// MaxScore is the greatest score.
const MaxScore Score = 100

// AppendJSON appends the score as a number from 0 to 1.
func (s Score) AppendJSON(dst []byte) []byte {
	return strconv.AppendFloat(dst, float64(s)/float64(MaxScore), 'f', -1, 64)
}

// Rank returns the documents that have at least half of the query's words in
// any field, as they are or in another form, and scores them by BM25F. Stop
// words aside; a query without other words finds nothing.
//
// The score is the sum over the query's words of the rarity of the word and of
// its weight in the document, as a share of what the most could be.
func (r *Ranking) Rank(query string) *Result {
	result := &Result{terms: r.terms(query)}
	s := newScoring(r.documents)
	for i := range result.terms {
		s.add(r, &result.terms[i])
	}
	result.Hits = s.hits()
	return result
}

// A scoring adds up, document by document, what the terms of a query count.
type scoring struct {
	terms   int
	most    float64   // the sum of a document that is about nothing else
	sums    []float32 // by document
	fitting []uint8   // by document: how many of the terms it has
	weights []float32 // by document: the weight of the term that is being added
	touched []uint32  // which documents have that
}

func newScoring(documents int) *scoring {
	return &scoring{
		sums:    make([]float32, documents),
		fitting: make([]uint8, documents),
		weights: make([]float32, documents),
	}
}

// add counts a term, and sets its rarity. Of several forms in a document that
// with the greatest weight counts.
func (s *scoring) add(r *Ranking, t *term) {
	s.touched = s.touched[:0]
	for _, f := range t.forms {
		where, weights := r.postings(f.number)
		for i, document := range where {
			before := s.weights[document]
			if before == 0 {
				s.touched = append(s.touched, document)
			}
			s.weights[document] = max(before, f.factor*float32(weights[i])/mostWeight)
		}
	}
	t.rarity = rarity(len(s.touched), len(s.sums))
	s.terms++
	s.most += t.rarity
	for _, document := range s.touched {
		s.sums[document] += float32(t.rarity) * s.weights[document]
		s.fitting[document]++
		s.weights[document] = 0
	}
}

// rarity is the inverse document frequency of BM25, which is never negative.
func rarity(frequency, documents int) float64 {
	f, n := float64(frequency), float64(documents)
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// hits returns the documents that fit, best first. There are few scores, so
// that counting sorts them.
func (s *scoring) hits() []Hit {
	var places [MaxScore + 1]int // by how much a score is below the greatest
	scores := make([]Score, len(s.sums))
	found := 0
	for document := range scores {
		if s.fits(document) {
			scores[document] = s.score(document)
			places[MaxScore-scores[document]]++
			found++
		}
	}
	before := 0
	for i, n := range places {
		places[i] = before
		before += n
	}
	hits := make([]Hit, found)
	for document, score := range scores {
		if score > 0 {
			place := &places[MaxScore-score]
			hits[*place] = Hit{document, score}
			*place++
		}
	}
	return hits
}

// fits reports whether a document has half of the terms.
func (s *scoring) fits(document int) bool {
	return s.fitting[document] > 0 && 2*int(s.fitting[document]) >= s.terms
}

func (s *scoring) score(document int) Score {
	return max(1, Score(float64(s.sums[document])/s.most*float64(MaxScore)+0.5))
}
