package ranked

import (
	"iter"

	"instruction-catalog/catalog/search/fold"
)

// Locate returns where a text has words of the query, from left to right and
// without overlaps.
func (r *Result) Locate(text string) iter.Seq[fold.Match] {
	return func(yield func(fold.Match) bool) {
		for m := range r.locate(text) {
			if !yield(m.Match) {
				return
			}
		}
	}
}

// A located is a match and the position of the term that matches.
type located struct {
	fold.Match
	term int
}

func (r *Result) locate(text string) iter.Seq[located] {
	return func(yield func(located) bool) {
		s := wordScanner{text: text}
		end := 0
		for at, ok := s.next(); ok; at, ok = s.next() {
			term := r.term(s.fold(at))
			if term < 0 {
				continue
			}
			if s.compound(at) {
				s.skipParts()
			}
			at.Start, end = max(at.Start, end), at.End // pairs of characters overlap
			if !yield(located{at, term}) {
				return
			}
		}
	}
}

// term returns the position of the term that a word does for, -1 for none.
func (r *Result) term(word []byte) int {
	for i := range r.terms {
		t := &r.terms[i]
		start := t.start()
		if len(word) >= len(start) && string(word[:len(start)]) == start && t.factor(string(word)) > 0 {
			return i
		}
	}
	return -1
}

// Window returns the match around which a text should be shown: the one followed,
// within reach bytes, by most of the query, where a rare word weighs more than a
// frequent one. Of several such matches it returns the first, and the zero Match if
// there is none.
func (r *Result) Window(text string, reach int) fold.Match {
	const more = 1e-9 // than what is lost in adding up
	var best fold.Match
	var most float64
	w := window{result: r, reach: reach}
	for m := range r.locate(text) {
		w.add(m)
		if w.sum > most+more {
			best, most = w.matches[0].Match, w.sum
		}
	}
	return best
}

// A window holds the last matches that lie together within reach, from the
// first on that is needed for the terms among them.
type window struct {
	result  *Result
	reach   int
	matches []located
	times   [maxTerms]int // by term
	sum     float64       // the rarity of the terms
}

func (w *window) add(m located) {
	w.matches = append(w.matches, m)
	if w.times[m.term]++; w.times[m.term] == 1 {
		w.sum += w.result.terms[m.term].rarity
	}
	for len(w.matches) > 1 && (w.matches[0].Start < m.End-w.reach || w.times[w.matches[0].term] > 1) {
		w.drop()
	}
}

func (w *window) drop() {
	term := w.matches[0].term
	if w.times[term]--; w.times[term] == 0 {
		w.sum -= w.result.terms[term].rarity
	}
	w.matches = w.matches[1:]
}
