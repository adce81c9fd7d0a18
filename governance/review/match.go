package review

import (
	"math"
	"slices"
	"unicode/utf8"
)

// find returns where the pattern was found in the windows of a text, and counts:
// every place, or the first one.
func (r *rule) find(text string, windows []Span, every bool) []Span {
	var found []Span
	for _, w := range windows {
		if window := text[w.Start:w.End]; r.matches().matches(window) {
			found = append(found, r.findIn(window, w.Start, every)...)
		}
		if len(found) > 0 && !every {
			break
		}
	}
	return found
}

// findIn is [rule.find] for one window, which begins at an offset. Most often the
// first match counts, or there is none; only else are all looked for.
func (r *rule) findIn(window string, offset int, every bool) []Span {
	for {
		n := 1
		if every {
			n = -1
		}
		matches := r.pattern().FindAllStringSubmatchIndex(window, n)
		var found []Span
		for _, m := range matches {
			if s := r.place(m); r.counts(window[m[0]:m[1]], window[s.Start:s.End]) {
				found = append(found, Span{s.Start + offset, s.End + offset})
			}
		}
		if every || len(found) > 0 || len(matches) == 0 {
			return found
		}
		every = true
	}
}

// place returns what of a match is the finding: the group, if it has text.
func (r *rule) place(match []int) Span {
	group := Span{match[2*r.group], match[2*r.group+1]}
	if group.Start < group.End {
		return group
	}
	return Span{match[0], match[1]}
}

// counts reports whether a match is a finding.
func (r *rule) counts(match, finding string) bool {
	if r.entropy > 0 && entropy(finding) < r.entropy {
		return false
	}
	return !slices.ContainsFunc(r.allow, func(allowed lazyAutomaton) bool {
		return allowed().matches(match) || allowed().matches(finding)
	})
}

// entropy is how many bits a character of a text carries, after Shannon, if its
// characters are drawn as often as they stand in it.
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
