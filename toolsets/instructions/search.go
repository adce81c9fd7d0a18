package instructions

import (
	"context"

	"instruction-catalog/rpc"
)

type searchParams struct {
	Query string `json:"q"`
	view
}

func (t *Toolset) search() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/search",
		Title:   "Search instructions",
		Summary: "Entries whose title or body contains a text.",
		Doc: "Finds `q` as a substring of title or body, whatever the case, under Unicode's full case folding: " +
			"`STRASSE` finds `Straße`. An empty `q` finds all. Order, `fields`, `limit` and `cursor` are as in " +
			"instructions/list.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p searchParams) (listing, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return listing{}, err
		}
		return t.page(s, s.Search(p.Query, p.filter()), p.view)
	})
}
