package catalog

import (
	"iter"

	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/schemas/jsonscan"
)

// The greatest length of a snippet's text, in Unicode code points, and the least
// to which one may be asked for that still says something.
const (
	MaxSnippet = 160
	MinSnippet = 40
)

// MaxMatches is how many matches of a snippet are marked.
const MaxMatches = 10

// A Snippet is a stretch of an entry's body that shows, on one line, why the
// entry was found.
type Snippet struct {
	// Text is the stretch: white space is a single blank, and there are no
	// control characters. An ellipsis at either end says that the body goes on.
	Text string `json:"text"`
	// Matches are the first [MaxMatches] places of what was found, in order and
	// apart: pairs [start, end) in code points of Text. A match that goes on beyond the text
	// is marked as far as it is shown.
	Matches [][]int `json:"matches"`
}

// NewSnippet returns the stretch of the body, at most so many characters, around
// the first of the matches, which come in order, as from [fold.Locate]; or its beginning, where there
// is none. Matches beyond the stretch are not looked for.
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

// snippetAround returns the stretch of the body around a place in it, with those
// of the matches that are shown.
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
