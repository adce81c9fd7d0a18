package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
)

type trackParams struct {
	ID     string       `json:"id"`
	Action usage.Action `json:"action"`
	Signal usage.Signal `json:"signal"`
}

type trackResult struct {
	ID         catalog.ID        `json:"id,omitempty"`
	UsageCount int64             `json:"usageCount,omitempty"`
	LastUsedAt catalog.Timestamp `json:"lastUsedAt,omitempty"`
	InMemory   bool              `json:"inMemory,omitempty"`
	NotFound   bool              `json:"notFound,omitempty"`

	instead func() []string // the nearest ids, for the text form
}

func (t *Toolset) track() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "usage/track",
		Title:   "Track the use of an instruction",
		Summary: "Count one use of an instruction: call it after you have followed it.",
		Doc: "By default the use is written to the journal that all servers of the catalog share before the call returns. " +
			"If that fails, the count is kept in memory until it succeeds, and is lost if the server ends first: " +
			"since 1.5 the answer then has `inMemory`, and health/check with `detail` gives the reason. While another process locks the " +
			"journal, later requests are answered first. Counts are added to those in the file, and appear in `usageCount` and `lastUsedAt` of the entry from " +
			"then on. The action (`action`) and the value of the entry (`signal`) are also counted separately, for usage/hotset " +
			"with `detail`. Ids are found as in instructions/get.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Counts, Lane: rpc.Yielding, Tool: trackTool,
	}, func(ctx context.Context, p trackParams) (trackResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return trackResult{}, err
		}
		e, ok := find(s, p.ID)
		if !ok {
			return trackResult{NotFound: true, instead: func() []string { return nearestIDs(s, p.ID) }}, nil
		}
		use := t.uses.Track(e, usage.Kind{Action: p.Action, Signal: p.Signal}, t.config.Now(), func() { rpc.Yield(ctx) })
		return trackResult{ID: e.ID, UsageCount: use.Count, LastUsedAt: use.LastUsedAt, InMemory: use.InMemory}, nil
	}, trackText)
}
