// Package ranked finds the documents that fit the words of a query, best first.
//
// Words are runs of letters and digits, folded (see package fold). A camelCase word counts
// as a whole and as its parts. Chinese, Japanese, Thai and similar text is split into pairs
// of characters. For each word, an [Index] records the documents that contain it, and how
// often and in which fields. An index consists of segments of consecutive documents, and the
// next index shares the segments whose documents are the same.
//
// A query is split into words in the same way, and English stop words are removed. Each
// document gets a weight for each word of the query: for occurrences in the body (BM25),
// and for occurrences in the fields that name the document and that summarise it. Other
// forms of a word count a little less: forms with another English ending; for the last word
// of the query, longer words that begin with it; and, if no document has the word in any
// form, words with one typing error. A score is the sum of the weights, each times the
// rarity of its word. If no document scores enough, the query finds nothing, unless it has
// one word or the catalog is small. The cost of a query depends mainly on the number of
// documents that have any of its words.
//
// The package ignores the order and distance of words. It does not keep texts or read
// files.
package ranked

import (
	"instruction-catalog/catalog/search/segment"
)

// A Document is a document to rank: fields of text, in any case and any encoding.
type Document struct {
	ID, Title, Categories, Summary, Body string
}

// Index ranks its documents by how well they fit a query. It is safe for concurrent use.
// The zero Index has no documents.
type Index struct {
	segments  segment.Row[*postings]
	documents int
}

// New returns an index of n documents, numbered from 0. Documents with the same key must be
// equal. The index shares segments with before, which may be nil. New calls key and
// document from several goroutines.
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
