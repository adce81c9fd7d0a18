package instructions

import (
	"context"
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/rpc"
)

// failed is the state of a catalog that could not be loaded.
const failed = "failed"

type catalogHealth struct {
	State    string              `json:"state"` // "ready" or "failed"
	Hash     catalog.Fingerprint `json:"hash,omitempty"`
	Revision catalog.Fingerprint `json:"revision,omitempty"`
	Entries  int                 `json:"entries"`
	Errors   int                 `json:"errors"`
	Warnings int                 `json:"warnings"`
	Notes    int                 `json:"notes"`
	Kept     int                 `json:"kept,omitempty"`  // broken files whose previous entries are still served
	Error    string              `json:"error,omitempty"` // why the catalog could not be loaded
	Usage    *usageHealth        `json:"usage,omitempty"` // nil if usage counting has no problems

	Stale     string `json:"stale,omitempty"`     // why the served catalog differs from its files
	Unwatched string `json:"unwatched,omitempty"` // why files are polled instead of watched
	History   string `json:"history,omitempty"`   // why older revisions are unknown or will not be remembered
}

type usageHealth struct {
	State   string `json:"state"`             // "ready" or "memory"
	Damaged int    `json:"damaged,omitempty"` // invalid journal lines, which are not counted
	Error   string `json:"error,omitempty"`   // why counts are kept in memory
}

// health loads the catalog if necessary and reports its state.
func (t *Toolset) health(ctx context.Context) rpc.Health {
	h := t.catalogHealth(ctx)
	return rpc.Health{
		Failed: h.State == failed,
		Detail: h,
		Gauges: []rpc.Gauge{
			{Name: "catalog_entries", Value: int64(h.Entries)},
			{Name: `catalog_diagnostics{severity="error"}`, Value: int64(h.Errors)},
			{Name: `catalog_diagnostics{severity="warning"}`, Value: int64(h.Warnings)},
		},
	}
}

func (t *Toolset) catalogHealth(ctx context.Context) *catalogHealth {
	s, err := t.store.Snapshot(ctx)
	if err != nil {
		return &catalogHealth{State: failed, Error: err.Error(), Usage: t.usageHealth()}
	}
	h := &catalogHealth{State: "ready", Hash: s.Hash(), Revision: s.Revision(), Entries: len(s.Entries()), Usage: t.usageHealth()}
	h.History, h.Kept = t.history.Trouble(), len(s.Kept())
	if t.reloader != nil {
		h.Stale, h.Unwatched = t.reloader.trouble()
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

// usageHealth returns the problems with usage counting, or nil if there are
// none.
func (t *Toolset) usageHealth() *usageHealth {
	switch s := t.uses.Status(); {
	case s.Failure != nil:
		return &usageHealth{State: "memory", Damaged: s.Damaged,
			Error: fmt.Sprintf("usage counts are kept in memory, because their journal cannot be used: %v: repair it, or name another file with --usage", files.Cause(s.Failure))}
	case s.Damaged > 0:
		return &usageHealth{State: "ready", Damaged: s.Damaged}
	}
	return nil
}
