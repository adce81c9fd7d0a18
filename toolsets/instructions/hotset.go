package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
)

// The bounds of a hotset.
const (
	defaultHot = 10
	maxHot     = 100
)

type hotsetParams struct {
	Limit *rpc.Integer `json:"limit"`
}

type hotsetResult struct {
	Hash  catalog.Fingerprint `json:"hash"`
	Count int                 `json:"count"`
	Limit int                 `json:"limit"`
	Items []usage.Hot         `json:"items"`
}

func (t *Toolset) hotset() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "usage/hotset",
		Title:   "Most used instructions",
		Summary: "The entries that are used most.",
		Doc: "By `usageCount`, then the latest use, then id; entries that were never used are left out. `limit` is " +
			"brought into 1–100; without it, 10.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p hotsetParams) (hotsetResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return hotsetResult{}, err
		}
		limit := defaultHot
		if p.Limit != nil {
			limit = int(min(max(*p.Limit, 1), maxHot))
		}
		hot := t.uses.Hotset(s.Entries(), limit)
		return hotsetResult{Hash: s.Hash(), Count: len(hot), Limit: limit, Items: hot}, nil
	}, nil)
}
