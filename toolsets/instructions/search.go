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
		Summary: "Find instructions by a text or a few words. Search for your task before you begin it.",
		Doc: "Finds `q` as a substring of title or body, regardless of case, with Unicode's full case folding: " +
			"`STRASSE` finds `Straße`. An empty `q` finds all entries. Order, `fields`, `limit`, `cursor`, `count`, `revision`, `sort` and `nearest` are as in " +
			"instructions/list. Since 1.1, `snippet` adds to each item a line of its body around the first match, at most " +
			"160 characters, and the places of `q` in it; if only the title has `q`, the line is the beginning of the body.\n\n" +
			"Since 1.1, with `mode` `ranked`, `q` is words. It finds the entries that have them in their id, title, categories, summary or body, " +
			"in any form of the word. Common English words such as `how` and " +
			"`the` are ignored, and the last word may be the beginning of a word, if it has three letters or more (three bytes " +
			"of UTF-8: one Chinese character is enough). `C#`, `C++`, `.NET` and `Next.js` are words. A typing error is tolerated in a " +
			"word of five letters or more that no entry has. " +
			"The best entries come first, by BM25 and the fields that have a word, each with a `score` from 0 to 1; equal scores are sorted by " +
			"requirement, priority and id. Entries that score less than 0.15 of the best are left out, and nothing is found if the best " +
			"matches too few of several words; a long question need not match better than one of a few rare words. An entry whose id is `q` comes first. A deprecated entry comes after " +
			"the entry that replaces it, which is always included. A `snippet` is then the line with most of the words, " +
			"and a `cursor` is valid only for the same `q` and filters.\n\n" +
			"If the server has an embedder (`--embedder`), a ranked search also ranks entries by meaning, as far as " +
			"their vectors have been computed; `score` then combines the ranks in both orders.\n\n" +
			"Since 1.6, with `also`, entries with the same body are one item, the first of them, which names the others.",
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
			items.also = page.Duplicates
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
