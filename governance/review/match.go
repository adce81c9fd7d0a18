package review

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// keywordIndex finds keywords in a case-folded text.
type keywordIndex struct {
	folded string
	pairs  [1 << 16]bool // the pairs of adjacent bytes; most keywords have a pair that the text lacks
}

func newKeywordIndex(text string) *keywordIndex {
	x := &keywordIndex{folded: fold(text)}
	for i := 1; i < len(x.folded); i++ {
		x.pairs[pair(x.folded, i)] = true
	}
	return x
}

// pair returns the byte at an offset combined with the byte before it.
func pair(text string, at int) int { return int(text[at-1])<<8 | int(text[at]) }

// hasOneOf reports whether the text contains one of the words, which must be
// case-folded.
func (x *keywordIndex) hasOneOf(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		for i := 1; i < len(word); i++ {
			if !x.pairs[pair(word, i)] {
				return false
			}
		}
		return strings.Contains(x.folded, word)
	})
}

// find returns the places of the matches that count. If every is false and the first
// match counts, find returns only that match.
func (r *rule) find(text string, every bool, l *limit) []Span {
	if !r.matches().matches(text, l) {
		return nil
	}
	for {
		matches := r.locate(text, every, l)
		var found []Span
		for _, m := range matches {
			if s := r.place(m); r.counts(text[m[0]:m[1]], text[s.Start:s.End], l) {
				found = append(found, s)
			}
		}
		if every || len(found) > 0 || len(matches) == 0 {
			return found
		}
		every = true
	}
}

// locate returns all matches of the pattern, or the first one.
func (r *rule) locate(text string, every bool, l *limit) [][]int {
	switch {
	case l != nil:
		return l.locate(r.pattern(), r.later(), text, every)
	case every:
		return r.pattern().FindAllStringSubmatchIndex(text, -1)
	}
	return r.pattern().FindAllStringSubmatchIndex(text, 1)
}

// place returns the part of a match to report: the rule's group, or the whole match if
// the group is empty.
func (r *rule) place(match []int) Span {
	group := Span{match[2*r.group], match[2*r.group+1]}
	if group.Start < group.End {
		return group
	}
	return Span{match[0], match[1]}
}

// counts reports whether a match is a finding: it has enough entropy and no allow
// expression matches it.
func (r *rule) counts(match, finding string, l *limit) bool {
	if r.entropy > 0 && entropy(finding) < r.entropy {
		return false
	}
	return !slices.ContainsFunc(r.allow, func(allowed lazyAutomaton) bool {
		return allowed().matches(match, l) || allowed().matches(finding, l)
	})
}

// entropy returns the Shannon entropy of a text, in bits per character.
func entropy(text string) float64 {
	counts := map[rune]int{}
	for _, r := range text {
		counts[r]++
	}
	length := float64(utf8.RuneCountInString(text))
	bits := 0.0
	for _, n := range counts {
		share := float64(n) / length
		bits -= share * math.Log2(share)
	}
	return bits
}
