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
		Summary: "Count one use of an instruction: call it once you have followed it.",
		Doc: "The use is on disk before this answers, in the journal that all servers of the catalog share, unless the " +
			"server was started otherwise. If that fails, the count is in memory until it succeeds, and ends with the server: " +
			"since 1.5 the answer then has `inMemory`, and health/check with `detail` says why. While another process holds the " +
			"journal, later requests are answered first. Counts come on top of what a file records, and show in `usageCount` and `lastUsedAt` of the entry from " +
			"then on. What was done (`action`) and how good the entry was (`signal`) is counted apart, too, for usage/hotset " +
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
