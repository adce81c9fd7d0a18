package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// sinceParams request the changes since an earlier catalog state that the server
// remembers.
type sinceParams struct {
	Since  catalog.Fingerprint `json:"since"` // a revision or a hash
	Limit  rpc.Integer         `json:"limit"`
	Cursor catalog.Cursor      `json:"cursor"`
}

const sinceDoc = "Since 1.4, with `since` instead of both, the answer has only the changes since the catalog had that `revision`: " +
	"`added`, `updated` and `removed`, or `upToDate`. `since` may also be a `hash`; because a hash does not " +
	"cover everything, it means the oldest known revision that had it. `resync` means that the server does not know " +
	"the revision: list everything, and continue with the `revision` of that answer. The server remembers about 1,000 " +
	"revisions, including those from before it was started. `limit` and `cursor` work as in instructions/list; `limit` " +
	"counts changes of all three kinds, in id order, and each page has the same `hash` and `revision`."

// onlyWithSince rejects params that are valid only together with since.
func (p sinceParams) onlyWithSince() error {
	const needs = "requires since: give since, too, or leave it out"
	switch {
	case p.Limit != 0:
		return rpc.BadParam("limit", needs)
	case p.Cursor != "":
		return rpc.BadParam("cursor", needs)
	}
	return nil
}

// diffSince uses the history to answer a call that has since set. The catalog must
// already be loaded.
func (t *Toolset) diffSince(p diffParams) (diffResult, error) {
	const instead = "and since both say what the client has: leave one of them out"
	switch {
	case p.ClientHash != "":
		return diffResult{}, rpc.BadParam("clientHash", instead)
	case p.Known != nil:
		return diffResult{}, rpc.BadParam("known", instead)
	}
	now, changes, known := t.history.Since(p.Since)
	switch {
	case !known:
		return diffResult{Resync: true, Hash: now.Hash(), Revision: now.Revision()}, nil
	case changes.Empty():
		return diffResult{UpToDate: true, Hash: now.Hash(), Revision: now.Revision()}, nil
	}
	page, next, err := now.PageOfChanges(changes, p.Since, int(p.Limit), p.Cursor)
	if err != nil {
		return diffResult{}, rpc.BadParam("cursor", err.Error())
	}
	result := t.precise(now, page, p)
	result.Revision, result.NextCursor = now.Revision(), next
	return result, nil
}
