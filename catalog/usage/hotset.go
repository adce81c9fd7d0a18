package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
)

// Hot is an entry that was used, as the contract serves it.
type Hot struct {
	ID catalog.ID `json:"id"`
	Use
}

// Hotset returns up to limit of the entries that were used: the most used
// first, among equals the one used last, among those the first in id order.
// It is never nil. A limit below 1 returns none.
func (c *Counter) Hotset(entries []*catalog.Entry, limit int) []Hot {
	ranked := c.ranked(entries)
	hot := make([]Hot, min(max(limit, 0), len(ranked)))
	for i := range hot {
		hot[i] = ranked[i].Hot
	}
	return hot
}

// rank is an entry's place among others, its last use read once for all
// comparisons.
type rank struct {
	Hot
	lastUse time.Time
}

func (c *Counter) ranked(entries []*catalog.Entry) []rank {
	var used []rank
	for _, e := range entries {
		if use := c.Of(e); use.Count > 0 {
			used = append(used, rank{Hot{e.ID, use}, instant(use.LastUsedAt)})
		}
	}
	slices.SortFunc(used, func(a, b rank) int {
		return cmp.Or(
			cmp.Compare(b.Count, a.Count),
			b.lastUse.Compare(a.lastUse),
			strings.Compare(string(a.ID), string(b.ID)),
		)
	})
	return used
}
