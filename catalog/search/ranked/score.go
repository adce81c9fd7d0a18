package ranked

import (
	"math"
	"slices"
	"strconv"
)

// A Score says how well a document fits a query, in thousandths: from 1 for
// hardly to 1000 for best. It compares documents under one query, and says little
// across queries.
type Score uint16

// MaxScore is the greatest score.
const MaxScore Score = 1000

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

// What it counts that a word is in the name, or in the subject, where a body that
// has nothing but that word counts 1.
const (
	nameWeight    = 0.4
	subjectWeight = 0.5
)

// The sum that the best document must reach for anything to be found: a share of
// what the whole query could count, of which no more is asked in a long query than
// in one of about two words that no document has. A query of one word finds each
// document that has the word, and so does any query in a small catalog: chance
// explains neither.
const (
	leastShare  = 0.26
	longest     = 1.9  // times the rarity of a word that no document has
	shareOfBest = 0.15 // for the other documents

	smallCatalog = 20 // documents; up to here the best needs no sum
	fullCatalog  = 60 // documents; between the two, leastShare applies in part
)

// maxWeight is the greatest weight. Weights are whole numbers, so that what differs
// by less is alike.
const maxWeight = math.MaxUint16

// weight says how much a document is about a word that it has, from 1 for hardly.
// Length is how many words its body has.
func (p posting) weight(length uint32) float32 {
	frequency := float64(p.body) / (1 - lengthEffect + lengthEffect*float64(length)/usualLength)
	weight := frequency / (saturation + frequency)
	if p.fields&name != 0 {
		weight += nameWeight
	}
	if p.fields&subject != 0 {
		weight += subjectWeight
	}
	return float32(max(1, math.Round(maxWeight*weight/(1+nameWeight+subjectWeight))))
}

// rarity is the inverse document frequency of BM25, which is never negative,
// flattened: how a word is used says a little more, and how rare it is a little
// less, than in BM25.
func rarity(frequency, documents int) float64 {
	f, n := float64(frequency), float64(documents)
	return math.Pow(math.Log(1+(n-f+0.5)/(f+0.5)), 0.8)
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
	if least := s.leastOfBest(); best < least {
		return Score(math.Ceil(least))
	}
	return max(1, Score(math.Ceil(shareOfBest*best)))
}

// leastOfBest returns the score that the best document must have.
func (s *scoring) leastOfBest() float64 {
	n := len(s.sums)
	if s.terms < 2 {
		return 0
	}
	inFull := min(1, max(0, float64(n-smallCatalog)/(fullCatalog-smallCatalog)))
	return inFull * leastShare * min(1, longest*rarity(0, n)/s.most) * float64(MaxScore)
}

// score is 0 for a document that has no word of the query, and for no other.
func (s *scoring) score(sum float32) Score {
	if sum == 0 {
		return 0
	}
	return max(1, Score(float64(sum)/s.most*float64(MaxScore)+0.5))
}
