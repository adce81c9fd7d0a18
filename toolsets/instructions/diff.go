package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type diffParams struct {
	ClientHash catalog.Fingerprint `json:"clientHash"`
	Known      *[]catalog.Known    `json:"known"` // nil where the client does not say what it knows
}

// diffResult has one of three forms: up to date; everything, for a client that
// does not say what it knows; or the changes to what it knows.
type diffResult struct {
	UpToDate bool                `json:"upToDate,omitempty"`
	Hash     catalog.Fingerprint `json:"hash"`
	Changed  *items              `json:"changed,omitempty"`
	Added    *items              `json:"added,omitempty"`
	Updated  *items              `json:"updated,omitempty"`
	Removed  []catalog.ID        `json:"removed,omitempty"`
}

// EncodeJSON implements rpc.Encoder.
func (r diffResult) EncodeJSON() rpc.JSON {
	var o rpc.Object
	switch {
	case r.UpToDate:
		o.Add("upToDate", true)
		o.Add("hash", r.Hash)
	case r.Changed != nil:
		o.Add("hash", r.Hash)
		o.Add("changed", r.Changed)
	default:
		o.Add("hash", r.Hash)
		o.Add("added", r.Added)
		o.Add("updated", r.Updated)
		o.Add("removed", r.Removed)
	}
	return o.JSON()
}

func (t *Toolset) diff() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/diff",
		Title:   "Compare with a known catalog",
		Summary: "What a client has to change to hold the catalog.",
		Doc: "With `known`, the exact changes: entries to add, entries to replace (their `sourceHash` differs), ids to " +
			"remove, each in id order; entries that `known` does not name are added; of an id named twice the first " +
			"counts. Nothing to change gives three empty arrays, or `upToDate` where `clientHash` matches too. Without " +
			"`known`, `upToDate` where `clientHash` matches, else every entry as `changed`.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p diffParams) (diffResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return diffResult{}, err
		}
		if p.Known == nil {
			return t.diffByHash(s, p.ClientHash), nil
		}
		return t.diffByEntry(s, p.ClientHash, *p.Known), nil
	}, nil)
}

func (t *Toolset) diffByHash(s *catalog.Snapshot, clientHash catalog.Fingerprint) diffResult {
	if clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	return diffResult{Hash: s.Hash(), Changed: t.items(s.Entries(), nil)}
}

func (t *Toolset) diffByEntry(s *catalog.Snapshot, clientHash catalog.Fingerprint, known []catalog.Known) diffResult {
	changes := s.Diff(known)
	if changes.Empty() && clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	return diffResult{
		Hash:    s.Hash(),
		Added:   t.items(changes.Added, nil),
		Updated: t.items(changes.Updated, nil),
		Removed: append([]catalog.ID{}, changes.Removed...), // [] in JSON, and not null
	}
}
