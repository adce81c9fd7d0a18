package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
)

// Hot is an entry with its use, as the contract serves it.
type Hot struct {
	ID catalog.ID `json:"id"`
	Totals
}

// Hotset returns up to limit of the entries that were used: the most used
// first, among equals the one used last, among those the first in id order.
// It is never nil. A limit below 1 returns none.
func (c *Counter) Hotset(entries []*catalog.Entry, limit int) []Hot {
	used := slices.DeleteFunc(c.ranked(entries), func(r rank) bool { return r.Count == 0 })
	slices.SortFunc(used, func(a, b rank) int {
		return cmp.Or(
			cmp.Compare(b.Count, a.Count),
			b.lastUse.Compare(a.lastUse),
			strings.Compare(string(a.ID), string(b.ID)),
		)
	})
	return hot(used[:min(max(limit, 0), len(used))])
}

// Unused returns the entries whose last use, if any, is not after the given
// time: those first of which no use is known, then the one whose last use is
// the longest ago, among equals the first in id order. It is never nil.
func (c *Counter) Unused(entries []*catalog.Entry, since time.Time) []Hot {
	unused := slices.DeleteFunc(c.ranked(entries), func(r rank) bool { return r.lastUse.After(since) })
	slices.SortFunc(unused, func(a, b rank) int {
		return cmp.Or(a.lastUse.Compare(b.lastUse), strings.Compare(string(a.ID), string(b.ID)))
	})
	return hot(unused)
}

// rank is an entry's place among others, its last use read once for all
// comparisons.
type rank struct {
	Hot
	lastUse time.Time
}

func (c *Counter) ranked(entries []*catalog.Entry) []rank {
	all := make([]rank, len(entries))
	c.Read(func(uses Uses) {
		for i, e := range entries {
			totals := uses.totals(e)
			all[i] = rank{Hot{e.ID, totals}, instant(totals.LastUsedAt)}
		}
	})
	return all
}

func hot(ranked []rank) []Hot {
	list := make([]Hot, len(ranked))
	for i, r := range ranked {
		list[i] = r.Hot
	}
	return list
}
