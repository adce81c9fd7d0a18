package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/rpc"
)

type searchParams struct {
	Query   string `json:"q"`
	Mode    mode   `json:"mode"`
	Snippet bool   `json:"snippet"`
	Also    bool   `json:"also"`
	view
}

// mode says how a search interprets its query.
type mode string

// ranked searches for the words of the query. The default, "substring", searches for the
// query as one text.
const ranked mode = "ranked"

type searchResult struct {
	answer
	Items *hits `json:"items"`
}

// EncodeJSON implements rpc.Encoder.
func (r searchResult) EncodeJSON() rpc.JSON { return r.with(r.Items).JSON() }

// Size implements rpc.Sized.
func (r searchResult) Size() (total, made int) { return r.Items.size() }

func (t *Toolset) search() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/search",
		Title:   "Search instructions",
		Summary: "Find instructions by a text or a few words: search for those of your task before you begin it.",
		Doc: "Finds `q` as a substring of title or body, whatever the case, under Unicode's full case folding: " +
			"`STRASSE` finds `Straße`. An empty `q` finds all. Order, `fields`, `limit`, `cursor`, `count`, `revision`, `sort` and `nearest` are as in " +
			"instructions/list. Since 1.1, `snippet` adds to each item a line of its body around the first match, at most " +
			"160 characters, and where `q` occurs in it; where only the title has `q`, the line is the beginning of the body.\n\n" +
			"Since 1.1, with `mode` `ranked`, `q` is words, and what has them in its id, title, categories, summary or body is " +
			"found, as they are or in another form of the word; English words such as `how` and " +
			"`the` do not count, and the last word may be the beginning of one, from three letters on (three bytes " +
			"of UTF-8: one Chinese character is enough). `C#`, `C++`, `.NET` and `Next.js` are words, and a typing error is forgiven in a " +
			"word of five letters or more that no entry has. " +
			"The best come first, by BM25 and the fields that have a word, each with a `score` from 0 to 1; what scores alike comes by " +
			"requirement, priority and id. What scores less than 0.15 of the best is left out, and nothing is found where the best " +
			"fits too few of several words; a long question need not fit better than one of a few rare words. An entry whose id is `q` is the first, but one that is deprecated comes behind " +
			"the entry that replaces it, which comes with it. A `snippet` is then the line with most of the words, " +
			"and a `cursor` is valid only for the same `q` and filters.\n\n" +
			"If the server has an embedder (`--embedder`), a ranked search also counts how close in meaning an entry is, as far as " +
			"its vectors are computed by then; `score` then says how high an entry stands in both orders.\n\n" +
			"Since 1.6, with `also` entries with the same body are one item, the first of them, which names the others.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: searchTool, Lane: t.meaning.lane(),
	}, func(ctx context.Context, p searchParams) (searchResult, error) {
		if err := t.inRepository(&p.view); err != nil {
			return searchResult{}, err
		}
		p.merge = p.Also
		s, err := t.snapshot(ctx)
		if err != nil {
			return searchResult{}, err
		}
		filter, err := p.filter(s)
		if err != nil {
			return searchResult{}, err
		}
		page, length := t.searched(ctx, s, p, filter), catalog.MaxSnippet
		return withinBudget(ctx,
			func() (searchResult, error) { return page(p.Limit, length) },
			func(r searchResult) string { return searchText(p, r) },
			func() bool {
				if length -= snippetStep; length < catalog.MinSnippet || !p.Snippet {
					p.Limit, length = p.Limit-1, catalog.MaxSnippet
				}
				return p.Limit > 0
			})
	}, searchText)
}

// snippetStep is the number of characters by which snippets are shortened until an
// answer fits its budget. Hits are dropped only if the shortest snippets do not fit.
const snippetStep = 20

// searched prepares a search and returns a function that builds a page with up to limit
// hits, with snippets of up to length characters.
func (t *Toolset) searched(ctx context.Context, s *catalog.Snapshot, p searchParams, filter catalog.Filter) func(limit rpc.Integer, length int) (searchResult, error) {
	if p.Mode == ranked {
		found := s.RankedWith(p.Query, filter, t.meaning.nearest(ctx, s, p.Query))
		if p.Sort == catalog.SortPriority {
			found.SortByPriority()
		}
		if p.Also {
			found.MergeEqual()
		}
		return func(limit rpc.Integer, length int) (searchResult, error) {
			page, next, err := found.Page(int(limit), p.Cursor)
			if err != nil {
				return searchResult{}, rpc.BadParam("cursor", err.Error())
			}
			items := t.items(s, page.Entries, p.view)
			items.also = page.Also
			hits := newHits(items, page, p.snippets(func(e *catalog.Entry) catalog.Snippet {
				return page.Snippet(e, length)
			}))
			return searchResult{p.answer(s, page.Count, len(page.Entries), next), hits}, nil
		}
	}
	return func(limit rpc.Integer, length int) (searchResult, error) {
		p.Limit = limit
		answer, items, err := t.page(s, p.Query, filter, p.view)
		if err != nil {
			return searchResult{}, err
		}
		found := newHits(items, nil, p.snippets(func(e *catalog.Entry) catalog.Snippet {
			body := e.Body.Text()
			return catalog.NewSnippet(body, length, fold.Locate(body, p.Query))
		}))
		return searchResult{answer, found}, nil
	}
}

// snippets returns made, or nil if snippets are not requested.
func (p searchParams) snippets(made func(*catalog.Entry) catalog.Snippet) func(*catalog.Entry) catalog.Snippet {
	if p.Snippet {
		return made
	}
	return nil
}
