package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// hits are the items of a search: entries, and what the search has to say of
// each.
type hits struct {
	items
	ranked   *catalog.Ranked   // whose scores they have; nil for none
	snippets []catalog.Snippet // of each; nil for none
}

// hit is the form of one of them.
type hit struct {
	served
	Score   float64          `json:"score,omitempty"`
	Snippet *catalog.Snippet `json:"snippet,omitempty"`
	Also    []place          `json:"also,omitempty"`
}

// place is where another entry with the body of a hit is.
type place struct {
	ID   catalog.ID `json:"id"`
	Path string     `json:"path"`
}

// Shape implements rpc.Shaped.
func (*hits) Shape() any { return []hit{} }

// newHits returns the items of a search, ranked or not, with their snippets if
// there is a function that makes them.
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

// members are the members that only a hit has, each after a comma.
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
