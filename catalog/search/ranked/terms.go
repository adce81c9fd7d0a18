package ranked

import (
	"iter"
	"slices"
	"strings"

	"instruction-catalog/catalog/search/segment"
)

// maxTerms is the maximum number of different words of a query. Further words are ignored.
const maxTerms = 64

// leastBeginning is the minimum length, in bytes, of a word that also matches longer words
// that begin with it: three letters, or one character of a script without spaces.
const leastBeginning = 3

// A term is a word of a query that is not a stop word.
type term struct {
	word     string
	stem     string
	unended  bool // the query ends with it, so it may be the beginning of a longer word
	misspelt bool // no document has it; set during the search, as is rarity
	rarity   float64
}

// The weights of a word of a document as a match for a word of the query.
const (
	veryWord  = 1
	sameStem  = 0.8
	beginning = 0.6 // a longer word that begins with the last word of the query
	misspelt  = 0.6 // a word that differs by one typing error
)

// leastMisspelt is the minimum length, in bytes, of a word in which a typing error is
// tolerated. Too many shorter words differ by only one letter but mean something else.
const leastMisspelt = 5

// terms returns the words of query that are not stop words. It returns only one of several
// forms of a word. A compound that no document has, such as camelCase, is replaced by its
// parts.
func (x *Index) terms(query string) []term {
	var terms []term
	s := wordScanner{text: query}
	for at, ok := s.next(); ok && len(terms) < maxTerms; at, ok = s.next() {
		word := string(s.fold(at))
		if s.compound(at) {
			if !x.has(word) {
				continue
			}
			s.skipParts()
		}
		t := term{word: word, stem: stem(word), unended: at.End == len(query) && len(word) >= leastBeginning}
		if !stopWords()[word] && !hasStem(terms, t.stem) {
			terms = append(terms, t)
		}
	}
	return terms
}

func hasStem(terms []term, stem string) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.stem == stem })
}

// has reports whether a document has exactly this word.
func (x *Index) has(word string) bool {
	return slices.ContainsFunc(x.segments, func(s segment.Segment[*postings]) bool { return s.Content.has(word) })
}

// forms yields the index of each word of the segment that matches the term, and its weight
// as a match. All these words begin with t.start().
func (t *term) forms(p *postings) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		start := t.start()
		for at := p.from(start); at < len(p.words) && strings.HasPrefix(p.words[at], start); at++ {
			if factor := t.factor(p.words[at]); factor > 0 && !yield(at, factor) {
				return
			}
		}
	}
}

// start returns the common beginning of all words that match the term: its stem, or its
// first byte if it is misspelt, because few typing errors are in the first letter.
func (t *term) start() string {
	if t.misspelt {
		return t.word[:1]
	}
	return t.stem
}

// factor returns the weight of word as a match for t, or 0 if it does not match.
func (t *term) factor(word string) float32 {
	switch {
	case word == t.word:
		return veryWord
	case stem(word) == t.stem:
		return sameStem
	case t.unended && strings.HasPrefix(word, t.word):
		return beginning
	case t.misspelt && near(word, t.word):
		return misspelt
	}
	return 0
}

// near reports whether two words differ by at most one byte that is replaced, added or
// removed, or by two adjacent bytes that are swapped. For ASCII letters, that is one typing
// error.
func near(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
