package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/fold"
)

// hits are the items of a search: entries, and what the search has to say of
// each.
type hits struct{ items }

// hit is the form of one of them.
type hit struct {
	catalog.Instruction
	Score   float64          `json:"score,omitempty"`
	Snippet *catalog.Snippet `json:"snippet,omitempty"`
}

// Shape implements rpc.Shaped.
func (*hits) Shape() any { return []hit{} }

// snippets returns what makes the member "snippet" of the items of a search for
// a text.
func snippets(text string) func(int, *catalog.Entry) []byte {
	return func(_ int, e *catalog.Entry) []byte {
		body := e.Body.Text()
		return snippetMember(nil, catalog.NewSnippet(body, fold.Locate(body, text)))
	}
}

// scores returns what makes the members "score" and, if wanted, "snippet" of the
// items of a ranked search.
func scores(page *catalog.Ranked, withSnippet bool) func(int, *catalog.Entry) []byte {
	return func(n int, e *catalog.Entry) []byte {
		member := page.Scores[n].AppendJSON([]byte(`,"score":`))
		if !withSnippet {
			return member
		}
		return snippetMember(member, page.Snippet(e))
	}
}

func snippetMember(dst []byte, s catalog.Snippet) []byte {
	return s.AppendJSON(append(dst, `,"snippet":`...))
}
