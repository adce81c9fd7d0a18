package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search"
)

// hits are the items of a search: entries, and what the search has to say of
// each.
type hits struct{ items }

// hit is the form of one of them.
type hit struct {
	catalog.Entry
	Snippet *catalog.Snippet `json:"snippet,omitempty"`
}

// Shape implements rpc.Shaped.
func (*hits) Shape() any { return []hit{} }

// snippets returns what makes the member "snippet" of the items of a search.
func snippets(query string) func(*catalog.Entry) string {
	return func(e *catalog.Entry) string {
		snippet := catalog.NewSnippet(e.Body, search.Locate(e.Body, query))
		return string(snippet.AppendJSON([]byte(`,"snippet":`)))
	}
}
