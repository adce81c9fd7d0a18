// Package server has what every server has whatever its toolsets: the methods
// health/check, metrics/snapshot and rpc.discover, the registry that they and the
// toolsets are added to, and the pages /healthz, /readyz and /metrics.
//
// The package knows no domain, opens no port and reads no file.
package server

import (
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// Config configures a registry.
type Config struct {
	Version  string       // of the program
	Contract rpc.Contract // of these methods; rpc.discover names its version
	Log      *slog.Logger
	Now      func() time.Time
}

// NewRegistry returns a registry with the methods of every server and those of the
// toolsets.
func NewRegistry(c Config, toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	registry := rpc.NewRegistry(c.Log, c.Now)
	methods := &methods{config: c, registry: registry, start: c.Now()}
	all := append([]rpc.Toolset{methods.toolset()}, toolsets...)
	return registry, registry.Add(all...)
}

// methods declares the methods of every server.
type methods struct {
	config   Config
	registry *rpc.Registry
	start    time.Time
}

func (m *methods) toolset() rpc.Toolset {
	return rpc.Toolset{
		Name: "server", Contract: m.config.Contract, Methods: []rpc.Method{m.health(), m.metrics(), m.discover()},
	}
}

// timestamp returns the time as the contract writes it.
func (m *methods) timestamp() string { return m.config.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
