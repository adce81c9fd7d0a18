package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
)

// Hot is an entry's id and counts, in the form that the contract returns.
type Hot struct {
	ID catalog.ID `json:"id"`
	Totals
}

// Hotset returns up to limit entries that were used, sorted by count, highest first,
// then by last use, latest first, then by id. It never returns nil. If limit is below
// 1, the result is empty.
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

// Unused returns the entries that were not used after since. Entries without a known
// last use come first. The others are sorted by last use, oldest first, then by id. It
// never returns nil.
func (c *Counter) Unused(entries []*catalog.Entry, since time.Time) []Hot {
	unused := slices.DeleteFunc(c.ranked(entries), func(r rank) bool { return r.lastUse.After(since) })
	slices.SortFunc(unused, func(a, b rank) int {
		return cmp.Or(a.lastUse.Compare(b.lastUse), strings.Compare(string(a.ID), string(b.ID)))
	})
	return hot(unused)
}

// rank is an entry with its last use parsed once for all comparisons.
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
