package instructions

import (
	"context"
	"fmt"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/rpc"
)

type healthParams struct {
	Detail bool `json:"detail"`
}

type healthResult struct {
	Status        string            `json:"status"`
	Timestamp     catalog.Timestamp `json:"timestamp"`
	Version       string            `json:"version"`
	UptimeSeconds *float64          `json:"uptimeSeconds,omitempty"`
	Catalog       any               `json:"catalog,omitempty"` // a *catalogHealth
}

type catalogHealth struct {
	State    string              `json:"state"` // "ready" or "failed"
	Hash     catalog.Fingerprint `json:"hash,omitempty"`
	Revision catalog.Fingerprint `json:"revision,omitempty"`
	Entries  int                 `json:"entries"`
	Errors   int                 `json:"errors"`
	Warnings int                 `json:"warnings"`
	Notes    int                 `json:"notes"`
	Error    string              `json:"error,omitempty"` // why it cannot be loaded
	Usage    *usageHealth        `json:"usage,omitempty"` // nil where the counting is well

	Stale     string `json:"stale,omitempty"`     // why it is not what stands in its files
	Unwatched string `json:"unwatched,omitempty"` // why its files are looked at at intervals
	History   string `json:"history,omitempty"`   // why older revisions are not known, or will not be
}

type usageHealth struct {
	State   string `json:"state"`             // "ready" or "memory"
	Damaged int    `json:"damaged,omitempty"` // lines of the journal that do not count
	Error   string `json:"error,omitempty"`   // why counts are held in memory
}

// health is a method of the server, which is there without the catalog, too:
// of is nil then.
func health(version string, now func() time.Time, of func(context.Context) any) rpc.Method {
	start := now()
	return rpc.Declare(rpc.Method{
		Name:    "health/check",
		Title:   "Check the server's health",
		Summary: "Whether the server is alive, and how its catalog is.",
		Doc: "Without params it answers at once and touches nothing. With `detail` it loads the catalog, if that has " +
			"not happened yet, and tells its hash, since 1.4 its revision, and how many files became entries, were normalised (warnings), were " +
			"refused (errors), or are no instructions (notes). A catalog that cannot be loaded is `failed`, with the " +
			"reason; the server itself is still `ok`. Where counts of use cannot be kept, or lines of their journal are " +
			"damaged, `usage` says so. A catalog that was loaded and cannot be loaded anew, as its folder is gone, " +
			"is served as it was, and `stale` says why. `history` says what is wrong with the file of revisions.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p healthParams) (healthResult, error) {
		result := healthResult{Status: "ok", Timestamp: catalog.NewTimestamp(now()), Version: version}
		if p.Detail {
			result.UptimeSeconds = new(now().Sub(start).Seconds())
			if of != nil {
				result.Catalog = of(ctx)
			}
		}
		return result, nil
	}, nil)
}

// health tells how the catalog is.
func (t *Toolset) health(ctx context.Context) any {
	s, err := t.store.Snapshot(ctx)
	if err != nil {
		return &catalogHealth{State: "failed", Error: err.Error(), Usage: t.usageHealth()}
	}
	h := &catalogHealth{State: "ready", Hash: s.Hash(), Revision: s.Revision(), Entries: len(s.Entries()), Usage: t.usageHealth()}
	h.History = t.history.Trouble()
	if t.live != nil {
		h.Stale, h.Unwatched = t.live.trouble()
	}
	for _, d := range s.Diagnostics() {
		switch d.Severity {
		case catalog.SeverityError:
			h.Errors++
		case catalog.SeverityWarning:
			h.Warnings++
		case catalog.SeverityNote:
			h.Notes++
		}
	}
	return h
}

// usageHealth tells what is wrong with the counting, nil for nothing.
func (t *Toolset) usageHealth() *usageHealth {
	switch s := t.uses.Status(); {
	case s.Failure != nil:
		return &usageHealth{State: "memory", Damaged: s.Damaged,
			Error: fmt.Sprintf("counts of use are held in memory, since their journal cannot be used: %v: mend it, or name another file with --usage", files.Cause(s.Failure))}
	case s.Damaged > 0:
		return &usageHealth{State: "ready", Damaged: s.Damaged}
	}
	return nil
}
