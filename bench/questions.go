package bench

import (
	"fmt"
	"slices"
)

// The operations, as they are called in reports. Every search but the ranked
// one tells how many entries match in all.
const (
	searchRare      = "search rare"
	searchAbsent    = "search absent"
	searchCommon    = "search common"
	searchEighth    = "search 13%"
	searchNearlyAll = "search 97%"

	searchRanked       = "search ranked"        // the ten best by three words, of which one is in a single entry
	searchRankedCommon = "search ranked common" // the ten best by three common words

	listAll       = "list"
	listCategory  = "list category"
	getOne        = "get"
	diffByHash    = "diff by hash"   // the client says the hash of the catalog, and nothing changed
	diffUnchanged = "diff unchanged" // the client says what it knows of each entry, and nothing changed
	diffStale     = "diff 10% stale" // as above, and each tenth entry changed
	trackOne      = "track"
	verifyAll     = "verify"
	dispatchOnly  = "dispatch" // a small call of a method that does nothing, in process
)

// pageSize and rankedSize are the limits that the pages and the ranked search
// ask for.
const (
	pageSize   = 50
	rankedSize = 10
)

// questions returns the questions about a catalog, in an order in which no
// answer changes a later one.
func questions(c *corpus) []question {
	t := c.truth
	all := slices.Concat(searches(c.form.terms, t), pages(t), firstPages(t))
	all = append(all,
		rankedRare(t),
		rankedCommon(),
		question{name: listAll, method: "instructions/list", params: encode(struct{}{}),
			want: func(a *answer) bool { return a.finds(t.entries, t.entries) && a.text("hash") == t.hash }},
		question{name: listCategory, method: "instructions/list", params: encode(map[string]string{"category": category}),
			want: func(a *answer) bool { return a.finds(t.category, t.category) }},
		question{name: getOne, method: "instructions/get", params: encode(map[string]string{"id": t.some}), brief: true,
			want: func(a *answer) bool { return idOf(a.members["item"]) == t.some }},
		question{name: diffByHash, method: "instructions/diff", params: encode(map[string]string{"clientHash": t.hash}), brief: true,
			want: func(a *answer) bool { return a.is("upToDate") }},
	)
	all = append(all, diffs(t)...)
	return append(all,
		question{name: trackOne, method: "usage/track", params: encode(map[string]string{"id": t.some}), brief: true, varies: true,
			want: func(a *answer) bool { return a.text("id") == t.some && a.number("usageCount") > 0 }},
		question{name: verifyAll, method: "integrity/verify", params: encode(struct{}{}), readsFiles: true,
			want: func(a *answer) bool { return a.number("count") == t.entries && a.number("issueCount") == 0 }},
	)
}

// questionCount is how many questions are asked of so many entries.
func questionCount(size int) int {
	if size > maxKnown {
		return 27
	}
	return 29
}

func searches(terms terms, t *truth) []question {
	return []question{
		search(searchRare, RareTerm, true, t),
		search(searchAbsent, AbsentTerm, true, t),
		search(searchCommon, CommonTerm, false, t),
		search(searchEighth, terms.eighth, false, t),
		search(searchNearlyAll, terms.nearlyAll, false, t),
	}
}

func search(name, term string, brief bool, t *truth) question {
	return question{
		name: name, method: "instructions/search", params: encode(map[string]string{"q": term}), brief: brief,
		want: func(a *answer) bool { return a.finds(t.with[term], t.with[term]) },
	}
}

// pageTerms are the terms of which pages are asked for.
var pageTerms = []struct{ name, term string }{
	{"one byte", oneByteTerm},
	{"two bytes", twoByteTerm},
	{"absent two bytes", absentTwoByteTerm},
	{"common", CommonTerm},
	{"rare", RareTerm},
	{"two words", twoWordTerm},
	{"across sentences", acrossTerm},
}

// pages are the first pages of what matches, with the count of all that match.
func pages(t *truth) (all []question) {
	for _, p := range pageTerms {
		found := t.with[p.term]
		all = append(all, question{
			name: "page " + p.name, method: "instructions/search",
			params: encode(map[string]any{"q": p.term, "limit": pageSize}),
			want:   func(a *answer) bool { return a.finds(found, min(found, pageSize)) },
		})
	}
	return all
}

// firstPages are the same without the count, so that no more has to be looked
// at than a page needs.
func firstPages(t *truth) (all []question) {
	for _, p := range pageTerms {
		served := min(t.with[p.term], pageSize)
		all = append(all, question{
			name: "first page " + p.name, method: "instructions/search", brief: true,
			params: encode(map[string]any{"q": p.term, "limit": pageSize, "count": false}),
			want:   func(a *answer) bool { return a.members["count"] == nil && a.has("items", served) },
		})
	}
	return all
}

// rankedRare looks for the one entry that has the rare word.
func rankedRare(t *truth) question {
	return searchBest(searchRanked, RareTerm+" "+CommonTerm+" better", func(a *answer) bool {
		return a.number("count") > 0 && idOf(a.arrays["items"].first) == t.rare
	})
}

// rankedCommon asks for three words that are in many entries. Which fit best, and
// whether any fits well enough, is for tests of the ranking to say.
func rankedCommon() question {
	return searchBest(searchRankedCommon, "test the "+CommonTerm, func(a *answer) bool {
		return a.has("items", min(a.number("count"), rankedSize))
	})
}

func searchBest(name, words string, want func(*answer) bool) question {
	params := map[string]any{"q": words, "mode": "ranked", "limit": rankedSize}
	return question{name: name, method: "instructions/search", params: encode(params), brief: true, want: want}
}

// diffs are asked by a client who says what it knows of each entry, where a
// request may say so much.
func diffs(t *truth) []question {
	if t.known == nil {
		return nil
	}
	stale, outdated := outdate(t.known)
	return []question{
		{name: diffUnchanged, method: "instructions/diff", params: encode(map[string]any{"known": t.known}),
			want: func(a *answer) bool { return a.changes(0, 0, 0) }},
		{name: diffStale, method: "instructions/diff", params: encode(map[string]any{"known": stale}),
			want: func(a *answer) bool { return a.changes(0, outdated, 0) }},
	}
}

// outdate returns a copy of the entries in which every tenth, the first
// included, has another hash, and how many those are.
func outdate(entries []known) ([]known, int) {
	stale, outdated := append([]known(nil), entries...), 0
	for i := 0; i < len(stale); i += 10 {
		stale[i].SourceHash = fmt.Sprintf("%064d", i)
		outdated++
	}
	return stale, outdated
}
