package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type listParams struct {
	Load       catalog.LoadMode `json:"load"`
	Categories bool             `json:"categories"`
	view
}

// listing is the result of instructions/list.
type listing struct {
	answer
	Items      *items           `json:"items"`
	Categories *[]categoryCount `json:"categories,omitempty"` // counts over all matches; set if requested
}

// EncodeJSON implements rpc.Encoder.
func (l listing) EncodeJSON() rpc.JSON {
	o := l.with(l.Items)
	if l.Categories != nil {
		o.Add("categories", *l.Categories)
	}
	return o.JSON()
}

// Size implements rpc.Sized.
func (l listing) Size() (total, made int) { return l.Items.size() }

func (t *Toolset) list() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/list",
		Title:   "List instructions",
		Summary: "List instructions, of a category, requirement or audience, or all that apply to a file: for an overview, or if a search finds nothing.",
		Doc: "By default all entries are returned, whole and in id order. `fields` serves only the named " +
			"fields (and always the id); `limit` serves that many and a `nextCursor` for the rest. `count` is the number of " +
			"all matches. A cursor is valid only for the snapshot with the same `hash`. Since 1.2, with `count` false the answer " +
			"has no `count`, and with a `limit` only the entries for the page are examined. Since 1.3, `appliesTo` names a file of the " +
			"repository, relative to its top or by an absolute path within the catalog's folder, and finds the entries that apply to it; " +
			"`load` finds those that an agent loads in one way. Since 1.4, " +
			"`fields` may name `entryHash` and `origin`, which are never served by default, and with `revision` the answer has the `revision` of the catalog. " +
			"`sort` `priority` sorts by priority, 1 first, then by requirement, most binding first, then by id. With `categories` " +
			"the answer counts the entries of each category among all matches, largest first. With `nearest`, the answer for a `category` without " +
			"entries names the most similar categories. Since 1.6, `fields` may name `approval`, which says whether the entry is " +
			"unchanged since its approval, and with `appliesTo` also `applies`, which says why the entry applies. `agent` " +
			"finds the entries whose files that agent reads, by the names that `catalog list --help` lists.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: listTool,
	}, func(ctx context.Context, p listParams) (listing, error) {
		if err := t.inRepository(&p.view); err != nil {
			return listing{}, err
		}
		s, err := t.snapshot(ctx)
		if err != nil {
			return listing{}, err
		}
		filter, err := p.filter(s)
		if err != nil {
			return listing{}, err
		}
		filter.Load = p.Load
		var categories *[]categoryCount
		if p.Categories {
			categories = new(countCategories(s.List(filter), rpc.BudgetOf(ctx) > 0))
		}
		return withinBudget(ctx,
			func() (listing, error) {
				answer, items, err := t.page(s, "", filter, p.view)
				return listing{answer, items, categories}, err
			},
			func(l listing) string { return listText(p, l) },
			func() bool { p.Limit /= 2; return p.Limit > 0 })
	}, listText)
}
