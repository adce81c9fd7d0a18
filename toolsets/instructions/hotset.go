package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
)

// defaultHot and maxHot are the default and maximum numbers of entries in a hotset.
const (
	defaultHot = 10
	maxHot     = 100
)

type hotsetParams struct {
	Limit      *rpc.Integer `json:"limit"`
	Detail     bool         `json:"detail"`
	UnusedDays rpc.Integer  `json:"unusedDays"`
}

type hotsetResult struct {
	Hash   catalog.Fingerprint `json:"hash"`
	Count  int                 `json:"count"`
	Limit  int                 `json:"limit"`
	Items  []usage.Hot         `json:"items"`
	Since  catalog.Timestamp   `json:"since,omitempty"`
	Unused *unused             `json:"unused,omitempty"`
}

// unused lists the entries that have not been used since After.
type unused struct {
	After catalog.Timestamp `json:"after"`
	Count int               `json:"count"`
	Items []unusedEntry     `json:"items"`
}

type unusedEntry struct {
	ID catalog.ID `json:"id"`
	usage.Use
}

func (t *Toolset) hotset() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "usage/hotset",
		Title:   "Most used instructions",
		Summary: "The most used entries.",
		Doc: "Sorted by `usageCount`, then the latest use, then id; unused entries are left out. `limit` is " +
			"clamped to 1–100; the default is 10. With `detail` each item has its uses by action and by signal, if there are " +
			"any, and `since` is when the journal was started. `unusedDays` adds all entries that were not used in " +
			"that many days: those never used first, then by their last use, oldest first.",
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
		r := hotsetResult{Hash: s.Hash(), Limit: limit, Items: t.uses.Hotset(s.Entries(), limit)}
		r.Count = len(r.Items)
		if p.UnusedDays > 0 {
			r.Unused = t.unused(s, int(p.UnusedDays))
		}
		if p.Detail {
			r.Since = t.uses.Status().Since
		} else {
			r.withoutDetail()
		}
		return r, nil
	}, nil)
}

// withoutDetail clears the counts per action and per signal.
func (r hotsetResult) withoutDetail() {
	for i := range r.Items {
		r.Items[i].Actions, r.Items[i].Signals = usage.Actions{}, usage.Signals{}
	}
}

func (t *Toolset) unused(s *catalog.Snapshot, days int) *unused {
	after := t.config.Now().AddDate(0, 0, -days)
	u := &unused{After: catalog.NewTimestamp(after), Items: []unusedEntry{}}
	for _, cold := range t.uses.Unused(s.Entries(), after) {
		u.Items = append(u.Items, unusedEntry{cold.ID, cold.Use})
	}
	u.Count = len(u.Items)
	return u
}
