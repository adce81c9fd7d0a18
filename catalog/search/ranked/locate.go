package ranked

import (
	"iter"

	"instruction-catalog/catalog/search/fold"
)

// Locate returns the ranges of text that match words of the query, from left to right and
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

// A located is a match and the index of its term.
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

// term returns the index of the term that word matches, or -1.
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

// Window returns the match at which an excerpt of text should start, so that its first
// reach bytes contain as much of the query as possible. A rare word of the query counts more
// than a frequent one. If several matches are equally good, Window returns the first. If
// there is no match, it returns the zero Match.
func (r *Result) Window(text string, reach int) fold.Match {
	const more = 1e-9 // more than the rounding error of the sums
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

// A window holds the latest matches that are within reach of each other. It starts as
// late as possible without losing a term.
type window struct {
	result  *Result
	reach   int
	matches []located
	times   [maxTerms]int // number of matches, by term
	sum     float64       // sum of the rarities of the terms in matches
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
