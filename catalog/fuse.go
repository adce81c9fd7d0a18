package catalog

import (
	"cmp"
	"slices"

	"instruction-catalog/catalog/search/ranked"
)

// Similar lists the entries whose meaning is closest to a query, best first.
type Similar struct {
	Entries []*Entry
	// Clear is the number of leading entries that are results even if no entry matches
	// by words.
	Clear int
}

// entryHit is an entry that matches a query.
type entryHit struct {
	entry *Entry
	score ranked.Score
}

// Parameters of the fusion, measured in decision 0066. The ranks wordsHalf and
// meaningHalf have half the weight of the first rank.
const (
	wordsHalf     = 5
	meaningHalf   = 60
	meaningWeight = 0.3 // weight of the first entry by meaning; the first by words has 1
	maxAdded      = 10  // number of leading entries by meaning to add even if their words do not match
)

// fused merges hits by words with entries by meaning, best first, by the sum of their
// weighted reciprocal ranks (Cormack, Clarke and Büttcher). Scores are relative to the
// sum of an entry that is first in both. Without similar entries, fused returns the hits
// with their own scores.
func (r ranking) fused(hits []ranked.Hit, similar Similar) []entryHit {
	all := make([]entryHit, len(hits))
	sums := make(map[*Entry]float64, len(hits))
	for i, hit := range hits {
		all[i] = entryHit{r.entries[hit.Document], hit.Score}
		sums[all[i].entry] = reciprocal(i, wordsHalf)
	}
	if len(hits) == 0 {
		similar.Entries = similar.Entries[:similar.Clear]
	}
	if len(similar.Entries) == 0 {
		return all
	}
	for i, e := range similar.Entries {
		if _, found := sums[e]; !found && i >= maxAdded {
			continue
		} else if !found {
			all = append(all, entryHit{entry: e})
		}
		sums[e] += meaningWeight * reciprocal(i, meaningHalf)
	}
	slices.SortFunc(all, func(a, b entryHit) int {
		return cmp.Or(cmp.Compare(sums[b.entry], sums[a.entry]), CompareForce(a.entry, b.entry))
	})
	for i := range all {
		all[i].score = max(1, ranked.Score(sums[all[i].entry]/(1+meaningWeight)*float64(ranked.MaxScore)))
	}
	return all
}

// reciprocal returns the weight of a rank, from 0: 1 for rank 0, and 1/2 for rank half.
func reciprocal(rank, half int) float64 { return float64(half) / float64(half+rank) }
