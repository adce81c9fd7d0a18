package catalog

import (
	"iter"

	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/schemas/jsonscan"
)

// MaxSnippet and MinSnippet bound the length of a snippet's text, in Unicode code
// points. A shorter text would tell the reader too little.
const (
	MaxSnippet = 160
	MinSnippet = 40
)

// MaxMatches is the maximum number of matches that are marked in a snippet.
const MaxMatches = 10

// Snippet is an excerpt of an entry's body, on one line, that shows why the entry was
// found.
type Snippet struct {
	// Text is the excerpt. Each run of white space is a single blank, and there are no
	// control characters. An ellipsis at either end means that the body continues there.
	Text string `json:"text"`
	// Matches are the positions of the first [MaxMatches] matches, in order and without
	// overlap: pairs [start, end) in code points of Text. A match that extends beyond
	// Text is marked up to the end of Text.
	Matches [][]int `json:"matches"`
}

// NewSnippet returns an excerpt of the body around the first of the matches, in at most
// length characters. Without matches, it returns the beginning of the body. The matches
// must be in order, as from [fold.Locate]. NewSnippet stops reading them at the first
// one beyond the excerpt.
func NewSnippet(body string, length int, matches iter.Seq[fold.Match]) Snippet {
	var e *excerpt
	for m := range matches {
		if e == nil {
			e = newExcerpt(body, length, m)
		}
		if !e.take(m) {
			break
		}
	}
	if e == nil {
		e = newExcerpt(body, length, fold.Match{})
	}
	return e.snippet()
}

// snippetAround returns an excerpt of the body around the match at place, and marks the
// matches within it.
func snippetAround(body string, length int, place fold.Match, matches iter.Seq[fold.Match]) Snippet {
	e := newExcerpt(body, length, place)
	for m := range matches {
		if !e.take(m) {
			break
		}
	}
	return e.snippet()
}

// AppendJSON appends the snippet as JSON.
func (s Snippet) AppendJSON(dst []byte) []byte { return append(dst, jsonscan.MustEncode(s)...) }
