package ranked

import (
	"math"
	"slices"
	"strconv"
)

// A Score rates how well a document fits a query, in thousandths: from 1, the worst fit, to
// 1000, the best. Use it to compare documents for one query; scores for different queries
// are hardly comparable.
type Score uint16

// MaxScore is the highest score.
const MaxScore Score = 1000

// AppendJSON appends the score to dst as a number from 0 to 1.
func (s Score) AppendJSON(dst []byte) []byte {
	return strconv.AppendFloat(dst, float64(s)/float64(MaxScore), 'f', -1, 64)
}

// The parameters of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework:
// BM25 and Beyond, 2009, section 3.4). The length of a body is compared with a fixed
// length, not with the average. A score thus means the same in a catalog of short texts as
// in one of long texts, where more words occur by chance.
const (
	saturation   = 0.9  // k1: the higher, the more each further occurrence of a word adds
	lengthEffect = 0.75 // b: the higher, the less a word counts in a longer body
	usualLength  = 500  // typical length of a body, in words
)

// The weights of a word in the name and in the subject of a document. Its weight in the body
// is less than 1.
const (
	nameWeight    = 0.4
	subjectWeight = 0.5
)

// leastShare is the share of the highest possible sum that the best document must reach;
// otherwise nothing is found. For long queries the required sum is capped at that of a
// query of about two rare words. Two kinds of query need no minimum, because chance does
// not explain their results: a query of one word finds every document that has the word,
// and so does any query in a small catalog.
const (
	leastShare  = 0.26
	longest     = 1.9  // cap on the sum that leastShare applies to, as a multiple of the rarity of a word that no document has
	shareOfBest = 0.15 // minimum score of the other documents, as a share of the best score

	smallCatalog = 20 // documents; up to this number, leastShare does not apply
	fullCatalog  = 60 // documents; between the two numbers, leastShare applies in part
)

// maxWeight is the highest weight. Weights are whole numbers, so that smaller differences
// do not count.
const maxWeight = math.MaxUint16

// weight returns the relevance of a document for a word that it contains, from 1 to
// maxWeight. length is the number of words in its body.
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

// rarity returns the inverse document frequency of BM25, in its non-negative form, flattened
// by an exponent. Compared with BM25, the use of a word in a document counts a little more,
// and the rarity of the word a little less.
func rarity(frequency, documents int) float64 {
	f, n := float64(frequency), float64(documents)
	return math.Pow(math.Log(1+(n-f+0.5)/(f+0.5)), 0.8)
}

// A scoring adds up, for each document, the weights of the terms of a query.
type scoring struct {
	terms   int
	most    float64   // the highest possible sum
	sums    []float32 // by document
	weights []float32 // by document: the weight of the term that is being added
	touched []int     // the documents with such a weight
}

func newScoring(documents int) *scoring {
	return &scoring{sums: make([]float32, documents), weights: make([]float32, documents)}
}

// add adds a term to the sums and sets its rarity. If no document has the term, add
// searches again with one typing error allowed, provided that the term is long enough.
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

// weigh sets the weight of t in each document. If a document has several forms of t, the
// highest weight counts.
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

// hits returns the documents that score enough, best first. It uses a counting sort, since
// there are few different scores.
func (s *scoring) hits() []Hit {
	var places [MaxScore + 1]int // by MaxScore minus the score: the number of documents, later the index in hits of the next one
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

// least returns the score that a document needs to be a hit. places[i] is the number of
// documents with score MaxScore-i.
func (s *scoring) least(places []int) Score {
	best := float64(MaxScore) - float64(slices.IndexFunc(places, func(n int) bool { return n > 0 }))
	if least := s.leastOfBest(); best < least {
		return Score(math.Ceil(least))
	}
	return max(1, Score(math.Ceil(shareOfBest*best)))
}

// leastOfBest returns the score that the best document needs for a query to have hits.
func (s *scoring) leastOfBest() float64 {
	n := len(s.sums)
	if s.terms < 2 {
		return 0
	}
	inFull := min(1, max(0, float64(n-smallCatalog)/(fullCatalog-smallCatalog)))
	return inFull * leastShare * min(1, longest*rarity(0, n)/s.most) * float64(MaxScore)
}

// score returns 0 for a document that has no word of the query, and at least 1 for any
// other.
func (s *scoring) score(sum float32) Score {
	if sum == 0 {
		return 0
	}
	return max(1, Score(float64(sum)/s.most*float64(MaxScore)+0.5))
}
