// Package ranked finds the documents that fit the words of a query, best first.
//
// Words are runs of letters and digits, folded (see package fold); camelCase counts
// as a whole and as its parts; Chinese, Japanese, Thai and the like count by pairs of
// characters. An [Index] keeps for each word in which documents it occurs, and how
// often in which field. It does so in segments of neighbours, and the next index
// shares those whose documents are the same.
//
// A query is cut in the same way, without the stop words of English. For each of its
// words a document gets a weight: for how often the body has it (BM25), and for
// having it in what names the document and in what sums it up. Other forms of a word
// count a little less: with another ending of English, or longer, if it is the last
// of the query; and, if no document has it in any form, with one typing error. The
// weights, each times the rarity of its word, add up to a score. A query for which no
// document scores enough finds nothing, except in a small catalog. The cost of a
// query depends on how many documents have any of its words.
//
// The package knows nothing of how words stand together, keeps no texts, and reads no
// files.
package ranked

import (
	"instruction-catalog/catalog/search/segment"
)

// A Document is what is ranked: fields of text, in any case and any encoding.
type Document struct {
	ID, Title, Categories, Summary, Body string
}

// Index answers which of its documents fit a query, and how well. It may be used by
// any number of goroutines. The zero Index has no documents.
type Index struct {
	segments  segment.Row[*postings]
	documents int
}

// New returns an index of n documents, numbered from 0; those with the same key are
// the same. It shares segments with the index before, which may be nil. Both functions
// are called by several goroutines.
func New(n int, key func(i int) string, document func(i int) Document, before *Index) *Index {
	if before == nil {
		before = &Index{}
	}
	hash := func(i int) uint64 { return segment.Hash(key(i)) }
	content := func(first, end int) *postings {
		return newPostings(end-first, func(i int) Document { return document(first + i) })
	}
	return &Index{segments: segment.NewRow(n, hash, before.segments, content), documents: n}
}
