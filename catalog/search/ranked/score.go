package ranked

import (
	"math"
	"slices"
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

// The parameters of BM25 (Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009, section 3.4). The length of a body is compared
// with a fixed one, not with the average: so a score means the same in a catalog of
// short texts as in one of long texts, where more words occur by chance.
const (
	saturation   = 0.9  // k1: how slowly more of the same word comes to count nothing
	lengthEffect = 0.75 // b: how much less a word counts in a longer body
	usualLength  = 500  // of a body, in words
)

// fieldWeight is what it counts that a word is in the name, or in the subject,
// where a body that has nothing but that word counts 1.
const fieldWeight = 0.5

// The score that a document must reach to be found. A query of one word finds each
// document that has the word, and so does any query in a small catalog: chance
// explains neither.
const (
	leastBest   = 21.0 // for the best, in an index of fullCatalog documents or more
	shareOfBest = 0.15 // for the others

	smallCatalog = 20 // documents; up to here the best needs no score
	fullCatalog  = 60 // documents; between the two, leastBest applies in part
)

// maxWeight is the greatest weight. Weights are whole numbers, so that what differs
// by less is alike.
const maxWeight = math.MaxUint16

// weight says how much a document is about a word that it has, from 1 for hardly.
// Length is how many words its body has.
func (p posting) weight(length uint32) float32 {
	frequency := float64(p.body) / (1 - lengthEffect + lengthEffect*float64(length)/usualLength)
	weight := frequency / (saturation + frequency)
	for _, field := range []fields{name, subject} {
		if p.fields&field != 0 {
			weight += fieldWeight
		}
	}
	return float32(max(1, math.Round(maxWeight*weight/(1+2*fieldWeight))))
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
	weights []float32 // by document: the weight of the term that is being added
	touched []int     // which documents have that
}

func newScoring(documents int) *scoring {
	return &scoring{sums: make([]float32, documents), weights: make([]float32, documents)}
}

// add counts a term, and sets its rarity.
func (s *scoring) add(x *Index, t *term) {
	s.weigh(x, t)
	if len(s.touched) == 0 && len(t.word) >= leastMisspelt {
		t.misspelt = true
		s.weigh(x, t)
	}
	t.rarity = rarity(len(s.touched), len(s.sums))
	s.terms++
	s.most += t.rarity
	for _, document := range s.touched {
		s.sums[document] += float32(t.rarity) * s.weights[document]
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
				s.weights[document] = max(before, factor*p.weight(words.lengths[p.document])/maxWeight)
			}
		}
	}
}

// hits returns the documents that score enough, best first. There are few scores,
// so that counting sorts them.
func (s *scoring) hits() []Hit {
	var places [MaxScore + 1]int // by how much a score is below the greatest
	scores := make([]Score, len(s.sums))
	for document, sum := range s.sums {
		scores[document] = s.score(sum)
		places[MaxScore-scores[document]]++
	}
	least := s.least(places[:])
	before := 0
	for i, n := range places {
		places[i] = before
		before += n
	}
	hits := make([]Hit, places[MaxScore-least+1])
	for document, score := range scores {
		if score >= least {
			place := &places[MaxScore-score]
			hits[*place] = Hit{document, score}
			*place++
		}
	}
	return hits
}

// least returns the score that a document must have. Places has how many documents
// have each score, the greatest first.
func (s *scoring) least(places []int) Score {
	best := float64(MaxScore) - float64(slices.IndexFunc(places, func(n int) bool { return n > 0 }))
	if least := leastBestOf(len(s.sums)); best < least && s.terms > 1 {
		return Score(math.Ceil(least))
	}
	return max(1, Score(math.Ceil(shareOfBest*best)))
}

// leastBestOf returns the score that the best of n documents must have for a query
// of several words.
func leastBestOf(n int) float64 {
	return leastBest * min(1, max(0, float64(n-smallCatalog)/(fullCatalog-smallCatalog)))
}

// score is 0 for a document that has no word of the query, and for no other.
func (s *scoring) score(sum float32) Score {
	if sum == 0 {
		return 0
	}
	return max(1, Score(float64(sum)/s.most*float64(MaxScore)+0.5))
}
