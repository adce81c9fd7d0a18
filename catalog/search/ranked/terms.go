package ranked

import (
	"iter"
	"slices"
	"strings"

	"instruction-catalog/catalog/search/segment"
)

// maxTerms is how many different words of a query count. What comes after them
// is passed over.
const maxTerms = 64

// leastBeginning is how many bytes of a word may stand for longer ones: three
// letters, or one character of a script without blanks.
const leastBeginning = 3

// A term is a word of a query that says something.
type term struct {
	word     string
	stem     string
	unended  bool // the query ends with it: it may be the beginning of a word
	misspelt bool // no document has it; set, as is the rarity, when it is looked for
	rarity   float64
}

// How much a word of a document counts for one of the query.
const (
	veryWord  = 1
	sameStem  = 0.8
	beginning = 0.6 // a longer word than was typed
	misspelt  = 0.6 // one that differs by a typing error
)

// leastMisspelt is the least length, in bytes, of a word in which a typing error is
// forgiven: of shorter ones too many differ by a letter and mean something else.
const leastMisspelt = 5

// terms returns the words of a query that say something, each once, whatever
// its form. A compound that no document has, such as camelCase, is
// looked for by its parts.
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

// has reports whether a document has the very word.
func (x *Index) has(word string) bool {
	return slices.ContainsFunc(x.segments, func(s segment.Segment[*postings]) bool { return s.Content.has(word) })
}

// forms returns the words of a segment that do for the term, by place, and how much
// each counts. They all begin with its stem, or, misspelt, as it does.
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

// start is what all words begin with that do for the term. Few errors are in the
// first letter.
func (t *term) start() string {
	if t.misspelt {
		return t.word[:1]
	}
	return t.stem
}

// factor returns how much a word counts for the term, 0 for nothing.
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

// near reports whether two words differ by one letter: another one, one more, one
// less, or two side by side in the other order.
func near(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
