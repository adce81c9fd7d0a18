package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type trackParams struct {
	ID string `json:"id"`
}

type trackResult struct {
	ID         catalog.ID        `json:"id,omitempty"`
	UsageCount int64             `json:"usageCount,omitempty"`
	LastUsedAt catalog.Timestamp `json:"lastUsedAt,omitempty"`
	NotFound   bool              `json:"notFound,omitempty"`

	instead []string // the nearest ids, for the text
}

func (t *Toolset) track() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "usage/track",
		Title:   "Track the use of an instruction",
		Summary: "Count one use of an instruction: call it once you have followed it.",
		Doc: "Counts are held in memory, on top of what a file records, and end with the process. They show in " +
			"`usageCount` and `lastUsedAt` of the entry from then on. Ids are found as in instructions/get.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Counts, Tool: trackTool,
	}, func(ctx context.Context, p trackParams) (trackResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return trackResult{}, err
		}
		e, ok := find(s, p.ID)
		if !ok {
			return trackResult{NotFound: true, instead: nearestIDs(s, p.ID)}, nil
		}
		use := t.uses.Track(e, t.config.Now())
		return trackResult{ID: e.ID, UsageCount: use.Count, LastUsedAt: use.LastUsedAt}, nil
	}, trackText)
}
