// Package server provides the parts of a server that do not depend on its toolsets: the
// methods health/check, metrics/snapshot and rpc.discover, the registry that contains them
// and the toolsets, and the pages /healthz, /readyz and /metrics.
//
// The package does not depend on a domain. It opens no ports and reads no files.
package server

import (
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// Config configures a registry.
type Config struct {
	Version  string       // the version of the program
	Contract rpc.Contract // the contract of the package's methods; rpc.discover returns its version
	Log      *slog.Logger
	Now      func() time.Time
}

// NewRegistry returns a registry with the methods of this package and those of the
// toolsets.
func NewRegistry(c Config, toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	registry := rpc.NewRegistry(c.Log, c.Now)
	methods := &methods{config: c, registry: registry, start: c.Now()}
	all := append([]rpc.Toolset{methods.toolset()}, toolsets...)
	return registry, registry.Add(all...)
}

// methods declares the methods of this package.
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

// timestamp returns the current time in the contract's format: UTC, with milliseconds.
func (m *methods) timestamp() string { return m.config.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
