// Package nearest finds the existing names that are most similar to an unknown one, so that
// an error can suggest them. It treats names as plain text.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// Max is the maximum number of names to suggest in place of an unknown one.
	Max = 5
	// maxAsked is the maximum length, in bytes, of a name to find suggestions for. Real
	// names are less than a fifth as long.
	maxAsked = 600
)

// Of returns the values that are most similar to asked, at most [Max], best first. It
// returns nil if asked is longer than 600 bytes. The similarity of two texts is the
// Sørensen–Dice coefficient of their pairs of neighbouring letters, ignoring case: a typing
// error, an omitted part and a different word order all preserve most pairs. Of omits
// values with a similarity below 0.35 or below half that of the best one.
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

// pairOf encodes two neighbouring letters as one number.
func pairOf(a, b rune) uint64 { return uint64(a)<<32 | uint64(b) }

// pairsOf appends the pairs of neighbouring letters of text to pairs and sorts the result.
// The first letter is paired with a space.
func pairsOf(text string, pairs []uint64) []uint64 {
	before := ' '
	for _, letter := range strings.ToLower(text) {
		pairs = append(pairs, pairOf(before, letter))
		before = letter
	}
	slices.Sort(pairs)
	return pairs
}

// alike returns the similarity of two sorted lists of pairs, from 0 to 1.
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
