package instructions

import (
	"context"
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// NewRegistry returns a registry with these toolsets and the methods of the server
// itself: health/check, metrics/snapshot and rpc.discover. The document of the
// last is named after the catalog, which is served with or without the other
// toolsets. The version is that of the program.
func NewRegistry(version string, log *slog.Logger, now func() time.Time, toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	registry := rpc.NewRegistry(rpc.Info{
		Title:       "Instruction catalog",
		Description: "Serves a governed catalog of instructions for coding agents.",
		Version:     ContractVersion,
	}, log, now)
	var ofCatalog func(context.Context) any
	for _, t := range toolsets {
		if t.Health != nil {
			ofCatalog = t.Health
		}
	}
	server := registry.Introspection(Contract())
	server.Methods = append(server.Methods, health(version, now, ofCatalog))
	return registry, registry.Add(append([]rpc.Toolset{server}, toolsets...)...)
}
