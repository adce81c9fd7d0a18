package ranked

// A Result is the result of a query.
type Result struct {
	Hits  []Hit // best first; documents with equal scores are in the order of their numbers
	terms []term
}

// A Hit is a document that fits a query.
type Hit struct {
	Document int // the number of the document in the index
	Score    Score
}

// Rank returns the documents that fit the words of query, ignoring stop words. It omits
// documents that score far below the best. It returns no hits if the query has only stop
// words. It also returns none if the best score is low, unless the query has one word or the
// catalog is small.
//
// The score of a document is the sum, over the words of the query, of the rarity of the
// word times its weight in the document, as a share of the highest possible sum. A word
// that no document has counts as the rarest.
func (x *Index) Rank(query string) *Result {
	result := &Result{terms: x.terms(query)}
	s := newScoring(x.documents)
	for i := range result.terms {
		s.add(x, &result.terms[i])
	}
	result.Hits = s.hits()
	return result
}
