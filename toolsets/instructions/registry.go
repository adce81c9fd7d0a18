package instructions

import (
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// NewRegistry returns a registry with these toolsets and the methods that speak
// of the registry itself. The document of rpc.discover is named after the
// catalog, which is served with or without the other toolsets.
func NewRegistry(log *slog.Logger, now func() time.Time, toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	registry := rpc.NewRegistry(rpc.Info{
		Title:       "Instruction catalog",
		Description: "Serves a governed catalog of instructions for coding agents.",
		Version:     ContractVersion,
	}, log, now)
	return registry, registry.Add(append([]rpc.Toolset{registry.Introspection(Contract())}, toolsets...)...)
}
