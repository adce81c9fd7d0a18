// Package ranked finds the documents that fit the words of a query, best first.
//
// Words are runs of letters and digits, folded (see package fold); camelCase counts
// as a whole and as its parts; Chinese, Japanese, Thai and the like count by pairs of
// characters. An [Index] keeps for each word in which documents it occurs, and how
// often in which field. It does so in segments of neighbours, and the next index
// shares those whose documents are the same.
//
// A query is cut in the same way, without the stop words of English. A document fits
// if it has at least half of the words, in whatever field, as they are or in another
// form: with another ending of English, or longer, where a word is the last of the
// query. There is no more than that to decide that nothing fits. What fits is scored
// by BM25F. A query costs about what the documents do that have any of its words.
//
// The package knows nothing of how words stand together, allows for no typing errors,
// keeps no texts, and reads no files.
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
	average   float64 // length of a body, in words; at least 1
}

// New returns an index of n documents, numbered from 0. It shares segments with the
// index before, which may be nil. The function document may be called more than once,
// and by several goroutines.
func New(n int, document func(i int) Document, before *Index) *Index {
	if before == nil {
		before = &Index{}
	}
	hash := func(i int) uint64 {
		d := document(i)
		return segment.Hash(d.ID, d.Title, d.Categories, d.Summary, d.Body)
	}
	content := func(first, end int) *postings {
		return newPostings(end-first, func(i int) Document { return document(first + i) })
	}
	x := &Index{segments: segment.NewRow(n, hash, before.segments, content), documents: n}
	words := 0
	for _, s := range x.segments {
		words += s.Content.length
	}
	x.average = float64(max(words, n, 1)) / float64(max(n, 1))
	return x
}
