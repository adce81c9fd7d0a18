package instructions

import (
	"cmp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// maxNearest is how many ids are named in place of one that is not there.
const maxNearest = 5

// nearestIDs returns the ids of a snapshot that are most like one that is not
// there, at most [maxNearest], best first.
func nearestIDs(s *catalog.Snapshot, asked string) []string {
	if id, ok := instructionID(asked); ok {
		asked = id
	}
	return nearest(asked, idsOf(s))
}

// nearest returns the values that are most like what was asked for, at most
// [maxNearest], best first. Two texts are the more alike, the more pairs of
// neighbouring letters they share, whatever the case (the Sørensen–Dice
// coefficient): a slip, a part and another order of words all leave most pairs.
// What is less than half as much alike as the best is not near.
func nearest(asked string, values []string) []string {
	const enough = 0.35
	type candidate struct {
		value string
		like  float64
	}
	var found []candidate
	pairs := pairsOf(asked)
	for _, value := range values {
		if like := alike(pairs, pairsOf(value)); like >= enough {
			found = append(found, candidate{value, like})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.like, a.like) })
	var best []string
	for _, c := range found[:min(len(found), maxNearest)] {
		if c.like >= found[0].like/2 {
			best = append(best, c.value)
		}
	}
	return best
}

// pairsOf returns the pairs of neighbouring letters of a text, sorted. The
// beginning counts as a letter.
func pairsOf(text string) []string {
	letters := []rune(" " + strings.ToLower(text))
	pairs := make([]string, 0, len(letters))
	for i := range len(letters) - 1 {
		pairs = append(pairs, string(letters[i:i+2]))
	}
	slices.Sort(pairs)
	return pairs
}

// alike is how much of two sorted lists they have in common, from 0 to 1.
func alike(a, b []string) float64 {
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
