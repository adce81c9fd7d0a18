package server

import (
	"context"

	"instruction-catalog/rpc"
)

type healthParams struct {
	Detail bool `json:"detail"`
}

type healthResult struct {
	Status        string   `json:"status"`
	Timestamp     string   `json:"timestamp"`
	Version       string   `json:"version"`
	UptimeSeconds *float64 `json:"uptimeSeconds,omitempty"`
	Contract      string   `json:"contract,omitempty"` // the version of the contract
	Catalog       any      `json:"catalog,omitempty"`  // the detail of a toolset's health
}

func (m *methods) health() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "health/check",
		Title:   "Check the server's health",
		Summary: "Whether the server is alive, and the state of its catalog.",
		Doc: "Without params it answers at once and reads no files. With `detail` it loads the catalog, if that has " +
			"not happened yet, and returns its hash, since 1.4 its revision, and how many files became entries, were normalised (warnings), were " +
			"refused (errors), or are not instructions (notes). A catalog that cannot be loaded is `failed`, with the " +
			"reason; the server itself is still `ok`. If usage counts cannot be saved, or lines of their journal are " +
			"damaged, `usage` says so. If a loaded catalog cannot be loaded again, for example because its folder is gone, " +
			"its previous state is served, and `stale` has the reason. `history` has the problem of the file of revisions, if any. Since 1.6, " +
			"`contract` is the version of the contract, and `kept` counts the broken files whose previous entries are still served.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p healthParams) (healthResult, error) {
		result := healthResult{Status: "ok", Timestamp: m.timestamp(), Version: m.config.Version}
		if p.Detail {
			result.UptimeSeconds = new(m.config.Now().Sub(m.start).Seconds())
			result.Contract = m.config.Contract.Version
			result.Catalog = m.detail(ctx)
		}
		return result, nil
	}, nil)
}

// detail returns the Detail of the first toolset that has one, since the contract has only
// one member for it. It returns nil if no toolset has one.
func (m *methods) detail(ctx context.Context) any {
	for _, t := range m.registry.Toolsets() {
		if t.Health == nil {
			continue
		}
		if detail := t.Health(ctx).Detail; detail != nil {
			return detail
		}
	}
	return nil
}
