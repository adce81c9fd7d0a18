// Package nearest finds the names that are most like one that does not exist, so that an
// error can suggest them. It knows nothing of what the names stand for.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// Max is how many names are suggested in place of one that does not exist.
	Max = 5
	// maxAsked is how long a name may be, in bytes, for anything to be near. No name
	// has a fifth of that.
	maxAsked = 600
)

// Of returns the values that are most like what was asked for, at most [Max], best
// first. Two texts are the more alike, the more pairs of
// neighbouring letters they share, whatever the case (the Sørensen–Dice
// coefficient): a slip, a part and another order of words all leave most pairs.
// What is less than half as much alike as the best is not near.
func Of(asked string, values []string) []string {
	const enough = 0.35
	type candidate struct {
		value string
		like  float64
	}
	if len(asked) > maxAsked {
		return nil
	}
	var found []candidate
	pairs := pairsOf(asked, nil)
	var others []uint64
	for _, value := range values {
		others = pairsOf(value, others[:0])
		if like := alike(pairs, others); like >= enough {
			found = append(found, candidate{value, like})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.like, a.like) })
	var best []string
	for _, c := range found[:min(len(found), Max)] {
		if c.like >= found[0].like/2 {
			best = append(best, c.value)
		}
	}
	return best
}

// pairOf is two neighbouring letters, as one number.
func pairOf(a, b rune) uint64 { return uint64(a)<<32 | uint64(b) }

// pairsOf appends the pairs of neighbouring letters of a text, sorted. The
// beginning counts as a letter.
func pairsOf(text string, pairs []uint64) []uint64 {
	before := ' '
	for _, letter := range strings.ToLower(text) {
		pairs = append(pairs, pairOf(before, letter))
		before = letter
	}
	slices.Sort(pairs)
	return pairs
}

// alike is how much of two sorted lists they have in common, from 0 to 1.
func alike(a, b []uint64) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}
