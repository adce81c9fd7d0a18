package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type listParams struct {
	Category    string              `json:"category"`
	Requirement catalog.Requirement `json:"requirement"`
	Audience    catalog.Audience    `json:"audience"`
	view
}

func (t *Toolset) list() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/list",
		Summary: "All entries, or those of a category, requirement or audience.",
		Doc: "Entries come in id order, whole, all at once, unless asked otherwise: `fields` serves only the named " +
			"fields (the id always), `limit` serves that many and a `nextCursor` for the rest. `count` is the number of " +
			"all matches. A cursor is good for the snapshot with the same `hash` only.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p listParams) (listing, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return listing{}, err
		}
		matches := s.List(catalog.Filter{Category: p.Category, Requirement: p.Requirement, Audience: p.Audience})
		return t.page(s, matches, p.view)
	})
}
