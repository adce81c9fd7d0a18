package ranked

// A Result is what an index has found for a query.
type Result struct {
	Hits  []Hit // best first; what scores alike in the order of documents
	terms []term
}

// A Hit is a document that fits a query.
type Hit struct {
	Document int // its number
	Score    Score
}

// Rank returns the documents that fit the query's words, stop words aside, and
// leaves out what scores far below the best. It finds nothing where the best
// scores little, except in a small catalog, and for a query without other words.
//
// The score is the sum over the query's words of the rarity of the word and of
// its weight in the document, as a share of what the most could be. A word that no
// document has counts as the rarest.
func (x *Index) Rank(query string) *Result {
	result := &Result{terms: x.terms(query)}
	s := newScoring(x.documents)
	for i := range result.terms {
		s.add(x, &result.terms[i])
	}
	result.Hits = s.hits()
	return result
}
