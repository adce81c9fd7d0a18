package catalog

import (
	"iter"
	"slices"
)

// positions are where entries stand in a snapshot, ascending.
type positions []int32

// Count returns how many there are.
func (p positions) Count() int { return len(p) }

// From returns those from first on.
func (p positions) From(first int) iter.Seq[int] {
	at, _ := slices.BinarySearch(p, int32(min(first, 1<<31-1)))
	return func(yield func(int) bool) {
		for _, i := range p[at:] {
			if !yield(int(i)) {
				return
			}
		}
	}
}

// buildCategories returns where the entries of each category stand. To look at
// every entry for its categories takes several waits for memory each.
func (s *Snapshot) buildCategories() map[string]positions {
	categories := map[string]positions{}
	for i, e := range s.entries {
		for _, category := range e.Categories {
			categories[category] = append(categories[category], int32(i))
		}
	}
	return categories
}
