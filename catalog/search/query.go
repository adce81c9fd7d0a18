package search

import "strings"

// maxTerms is how many different words of a query count. What comes after them
// is passed over.
const maxTerms = 64

// leastBeginning is how many bytes of a word may stand for longer ones: three
// letters, or one character of a script without blanks.
const leastBeginning = 3

// A term is a word of a query that says something.
type term struct {
	word    string
	stem    string
	unended bool // the query ends with it: it may be the beginning of a word
	forms   []form
	rarity  float64 // its inverse document frequency; set when it is looked for
}

// A form is a word of the vocabulary that does for a term, and how much it
// counts beside the very word.
type form struct {
	number int
	factor float32
}

const (
	veryWord  = 1
	sameStem  = 0.8
	beginning = 0.6 // a longer word than was typed
)

// terms returns the words of a query that say something, each once, whatever
// its form. A compound that the vocabulary does not have, such as camelCase, is
// looked for by its parts.
func (r *Ranking) terms(query string) []term {
	var terms []term
	s := wordScanner{text: query}
	for at, ok := s.next(); ok && len(terms) < maxTerms; at, ok = s.next() {
		word := string(s.fold(at))
		if s.compound(at) {
			if _, known := r.words.number(word); !known {
				continue
			}
			s.skipParts()
		}
		t := term{word: word, stem: stem(word), unended: at.End == len(query) && len(word) >= leastBeginning}
		if !stopWords()[word] && !has(terms, t.stem) {
			t.forms = r.forms(t)
			terms = append(terms, t)
		}
	}
	return terms
}

func has(terms []term, stem string) bool {
	for i := range terms {
		if terms[i].stem == stem {
			return true
		}
	}
	return false
}

// forms returns the words of the vocabulary that do for a term. They all begin
// with its stem.
func (r *Ranking) forms(t term) []form {
	var forms []form
	for n := r.words.from(t.stem); n < r.words.len(); n++ {
		word := r.words.word(n)
		if !strings.HasPrefix(word, t.stem) {
			break
		}
		if factor := t.factor(word); factor > 0 {
			forms = append(forms, form{n, factor})
		}
	}
	return forms
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
	}
	return 0
}
