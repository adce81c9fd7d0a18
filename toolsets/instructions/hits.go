package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// hits are the results of a search: entries with their scores, snippets and duplicates.
type hits struct {
	items
	ranked   *catalog.Ranked   // the ranking that the scores come from; nil if unranked
	snippets []catalog.Snippet // one per entry; nil if not requested
}

// hit is the JSON form of one result.
type hit struct {
	served
	Score   float64          `json:"score,omitempty"`
	Snippet *catalog.Snippet `json:"snippet,omitempty"`
	Also    []place          `json:"also,omitempty"`
}

// place locates another entry that has the same body as a hit.
type place struct {
	ID   catalog.ID `json:"id"`
	Path string     `json:"path"`
}

// Shape implements rpc.Shaped.
func (*hits) Shape() any { return []hit{} }

// newHits returns the results of a search. ranked is nil for an unranked search. If
// snippet is not nil, newHits calls it for each entry.
func newHits(found *items, ranked *catalog.Ranked, snippet func(*catalog.Entry) catalog.Snippet) *hits {
	h := &hits{items: *found, ranked: ranked}
	h.further = h.members
	if snippet != nil {
		h.snippets = make([]catalog.Snippet, len(found.entries))
		for i, e := range found.entries {
			h.snippets[i] = snippet(e)
		}
	}
	return h
}

// members returns the JSON members that result n has besides those of its entry, each
// preceded by a comma.
func (h *hits) members(n int) []byte {
	var members []byte
	if h.ranked != nil {
		members = h.ranked.Scores[n].AppendJSON(append(members, `,"score":`...))
	}
	if h.snippets != nil {
		members = h.snippets[n].AppendJSON(append(members, `,"snippet":`...))
	}
	var also []place
	for _, e := range h.also[h.entries[n]] {
		also = append(also, place{e.ID, e.Origin.Path})
	}
	if also != nil {
		members = append(append(members, `,"also":`...), jsonscan.MustEncode(also)...)
	}
	return members
}
