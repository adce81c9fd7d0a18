package instructions

import (
	"fmt"
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// NewRegistry returns a registry with these toolsets and the methods of the server
// itself: health/check, metrics/snapshot and rpc.discover. The document of the
// last is named after the catalog, which is served with or without the other
// toolsets. The version is that of the program. At most one of the toolsets may
// have Health.
func NewRegistry(version string, log *slog.Logger, now func() time.Time, toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	registry := rpc.NewRegistry(rpc.Info{
		Title:       "Instruction catalog",
		Description: "Serves a governed catalog of instructions for coding agents.",
		Version:     ContractVersion,
	}, log, now)
	var telling rpc.Toolset
	for _, t := range toolsets {
		if t.Health == nil {
			continue
		}
		if telling.Health != nil {
			return nil, fmt.Errorf("toolsets %s and %s: both have Health, and health/check tells that of one toolset only: leave it out of one of them",
				telling.Name, t.Name)
		}
		telling = t
	}
	server := registry.Introspection(Contract())
	server.Methods = append(server.Methods, health(version, now, telling.Health))
	return registry, registry.Add(append([]rpc.Toolset{server}, toolsets...)...)
}
