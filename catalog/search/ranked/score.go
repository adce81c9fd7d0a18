package ranked

import (
	"math"
	"strconv"
)

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

// The parameters of BM25F (Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009, section 3.6), at their usual values.
const (
	saturation   = 1.2  // k1: how slowly more of the same word comes to count nothing
	lengthEffect = 0.75 // b: how much less a word counts in a longer body
)

// maxWeight is the greatest weight. Weights are whole numbers, so that what differs
// by less is alike.
const maxWeight = math.MaxUint16

// weight says how much a document is about a word that it has, from 1 for hardly.
// Length is that of the body, as a multiple of the average.
func (p posting) weight(length float64) float32 {
	frequency := float64(p.head) + float64(p.body)/(1-lengthEffect+lengthEffect*length)
	return float32(max(1, math.Round(maxWeight*frequency/(saturation+frequency))))
}

// rarity is the inverse document frequency of BM25, which is never negative.
func rarity(frequency, documents int) float64 {
	f, n := float64(frequency), float64(documents)
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// A scoring adds up, document by document, what the terms of a query count.
type scoring struct {
	terms   int
	most    float64   // the sum of a document that is about nothing else
	sums    []float32 // by document
	fitting []uint8   // by document: how many of the terms it has
	weights []float32 // by document: the weight of the term that is being added
	touched []int     // which documents have that
}

func newScoring(documents int) *scoring {
	return &scoring{
		sums:    make([]float32, documents),
		fitting: make([]uint8, documents),
		weights: make([]float32, documents),
	}
}

// add counts a term, and sets its rarity.
func (s *scoring) add(x *Index, t *term) {
	s.weigh(x, t)
	t.rarity = rarity(len(s.touched), len(s.sums))
	s.terms++
	s.most += t.rarity
	for _, document := range s.touched {
		s.sums[document] += float32(t.rarity) * s.weights[document]
		s.fitting[document]++
		s.weights[document] = 0
	}
	s.touched = s.touched[:0]
}

// weigh sets the weight of a term in each document. Of several forms in a document
// that with the greatest weight counts.
func (s *scoring) weigh(x *Index, t *term) {
	for _, segment := range x.segments {
		words := segment.Content
		for form, factor := range t.forms(words) {
			for _, p := range words.of(form) {
				document := segment.First + int(p.document)
				before := s.weights[document]
				if before == 0 {
					s.touched = append(s.touched, document)
				}
				weight := p.weight(float64(words.lengths[p.document]) / x.average)
				s.weights[document] = max(before, factor*weight/maxWeight)
			}
		}
	}
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
