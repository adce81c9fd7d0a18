package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type diffParams struct {
	ClientHash catalog.Fingerprint `json:"clientHash"`
	Known      *[]catalog.Known    `json:"known"` // nil if the client does not list what it holds
	Fields     []catalog.Field     `json:"fields"`
	Revision   bool                `json:"revision"` // whether to add the catalog revision and the entryHash of each entry
	sinceParams
}

// diffResult is the answer to instructions/diff. It reports one of four things: the
// client is up to date; all entries, if the client did not list what it holds; the
// changes to what the client holds; or that the server does not know the client's
// revision.
type diffResult struct {
	UpToDate bool                `json:"upToDate,omitempty"`
	Resync   bool                `json:"resync,omitempty"`
	Hash     catalog.Fingerprint `json:"hash"`
	Revision catalog.Fingerprint `json:"revision,omitempty"` // set if requested
	Changed  *items              `json:"changed,omitempty"`
	Added    *items              `json:"added,omitempty"`
	Updated  *items              `json:"updated,omitempty"`
	Removed  []catalog.ID        `json:"removed,omitempty"`

	NextCursor catalog.Cursor `json:"nextCursor,omitempty"`
}

// EncodeJSON implements rpc.Encoder.
func (r diffResult) EncodeJSON() rpc.JSON {
	var o rpc.Object
	if r.UpToDate {
		o.Add("upToDate", true)
	}
	if r.Resync {
		o.Add("resync", true)
	}
	addHashes(&o, r.Hash, r.Revision)
	switch {
	case r.UpToDate, r.Resync:
	case r.Changed != nil:
		o.Add("changed", r.Changed)
	default:
		o.Add("added", r.Added)
		o.Add("updated", r.Updated)
		o.Add("removed", r.Removed)
	}
	if r.NextCursor != "" {
		o.Add("nextCursor", r.NextCursor)
	}
	return o.JSON()
}

// Size implements rpc.Sized.
func (r diffResult) Size() (total, made int) {
	for _, i := range []*items{r.Changed, r.Added, r.Updated} {
		t, m := i.size()
		total, made = total+t, made+m
	}
	return total, made
}

func (t *Toolset) diff() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/diff",
		Title:   "Compare with a known catalog",
		Summary: "What a client must change to have the current catalog.",
		Doc: "With `known`, the exact changes: entries to add, entries to replace (their `sourceHash` differs), ids to " +
			"remove, each in id order; entries that are not in `known` are added; if an id appears twice, the first " +
			"counts. If nothing has changed, the arrays are empty, or `upToDate` is set if `clientHash` also matches. Without " +
			"`known`, the answer is `upToDate` if `clientHash` matches, else every entry as `changed`.\n\n" +
			"A `sourceHash` covers only the body. To detect other changes, such as of a priority, send the `entryHash` of each " +
			"known entry, too: it is then compared instead. Since 1.4, `fields` serves only the named fields, as in " +
			"instructions/list, and with `revision` the answer has the catalog's " +
			"`revision`, and each entry in it its `entryHash`.\n\n" +
			sinceDoc,
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p diffParams) (diffResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return diffResult{}, err
		}
		if p.Since != "" {
			return t.diffSince(p)
		}
		if err := p.onlyWithSince(); err != nil {
			return diffResult{}, err
		}
		result := t.diffOf(s, p)
		if p.Revision {
			result.Revision = s.Revision()
		}
		return result, nil
	}, nil)
}

func (t *Toolset) diffOf(s *catalog.Snapshot, p diffParams) diffResult {
	var changes catalog.Changes
	if p.Known != nil {
		changes = s.Diff(*p.Known)
	}
	switch {
	case p.ClientHash == s.Hash() && changes.Empty():
		return diffResult{UpToDate: true, Hash: s.Hash()}
	case p.Known == nil:
		return diffResult{Hash: s.Hash(), Changed: t.asAsked(s, s.Entries(), p)}
	}
	return t.precise(s, changes, p)
}

func (t *Toolset) precise(s *catalog.Snapshot, changes catalog.Changes, p diffParams) diffResult {
	return diffResult{
		Hash:    s.Hash(),
		Added:   t.asAsked(s, changes.Added, p),
		Updated: t.asAsked(s, changes.Updated, p),
		Removed: append([]catalog.ID{}, changes.Removed...), // [] in JSON, and not null
	}
}

// asAsked returns the entries with the requested fields.
func (t *Toolset) asAsked(s *catalog.Snapshot, entries []*catalog.Entry, p diffParams) *items {
	found := t.items(s, entries, view{Fields: p.Fields})
	found.hashed = p.Revision
	return found
}
