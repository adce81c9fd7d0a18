package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type searchParams struct {
	Query   string `json:"q"`
	Snippet bool   `json:"snippet"`
	view
}

type searchResult struct {
	Hash       catalog.Fingerprint `json:"hash"`
	Count      int                 `json:"count"` // of all matches, whatever the limit
	Items      *hits               `json:"items"`
	NextCursor catalog.Cursor      `json:"nextCursor,omitempty"`
}

func (t *Toolset) search() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/search",
		Title:   "Search instructions",
		Summary: "Find instructions that contain a text: search for a word of your task before you begin it.",
		Doc: "Finds `q` as a substring of title or body, whatever the case, under Unicode's full case folding: " +
			"`STRASSE` finds `Straße`. An empty `q` finds all. Order, `fields`, `limit` and `cursor` are as in " +
			"instructions/list. Since 1.1, `snippet` adds to each item a line of its body around the first match, at most " +
			"160 characters, and where `q` occurs in it; where only the title has `q`, the line is the beginning of the body.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: searchTool,
	}, func(ctx context.Context, p searchParams) (searchResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return searchResult{}, err
		}
		page, err := t.page(s, s.Search(p.Query, p.filter()), p.view)
		if err != nil {
			return searchResult{}, err
		}
		found := &hits{items: *page.Items}
		if p.Snippet {
			found.more = snippets(p.Query)
		}
		return searchResult{Hash: page.Hash, Count: page.Count, Items: found, NextCursor: page.NextCursor}, nil
	})
}
