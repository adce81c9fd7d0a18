package instructions

import (
	"context"

	"instruction-catalog/rpc"
)

type listParams struct {
	Category string `json:"category"`
	view
}

func (t *Toolset) list() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/list",
		Title:   "List instructions",
		Summary: "List instructions, all or of a category, requirement or audience: for an overview, or where a search finds nothing.",
		Doc: "Entries come in id order, whole, all at once, unless asked otherwise: `fields` serves only the named " +
			"fields (the id always), `limit` serves that many and a `nextCursor` for the rest. `count` is the number of " +
			"all matches. A cursor is good for the snapshot with the same `hash` only. Since 1.2, with `count` false the answer " +
			"has no `count`, and with a `limit` no more is looked at than its page needs.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: listTool,
	}, func(ctx context.Context, p listParams) (listing, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return listing{}, err
		}
		filter := p.filter()
		filter.Category = p.Category
		return withinBudget(ctx, &p.Limit,
			func() (listing, error) { return t.page(s, "", filter, p.view) },
			func(l listing) string { return listText(p, l) })
	}, listText)
}
