package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

// programVersion is what the servers of the examples say of themselves.
const programVersion = "1.0.0"

// registry returns a registry over the catalog in dir, as a server that has
// just been started has it, with the criteria of the examples and a clock that
// says the same on every machine.
func (r *runner) registry(dir string) (*rpc.Registry, error) {
	data, err := os.ReadFile(filepath.Join(r.testdata, "criteria.json"))
	if err != nil {
		return nil, err
	}
	criteria, err := review.Parse(data)
	if err != nil {
		return nil, err
	}
	now := newClock()
	toolset := instructions.New(instructions.Config{
		Dir: dir, Criteria: func(func() (source.Criteria, error), bool) (*review.Criteria, error) { return criteria, nil }, Now: now,
		Watch: true, Log: slog.New(slog.DiscardHandler), // it is not started, and so watches nothing
	})
	registry, err := server.NewRegistry(server.Config{
		Version: programVersion, Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: now,
	}, toolset.Toolset())
	if err != nil {
		return nil, err
	}
	return registry, registry.Conforms()
}

// tick is how far a clock moves on each time it is read.
const tick = 250 * time.Microsecond

// newClock returns a clock for one caller at a time.
func newClock() func() time.Time {
	now := time.Date(2025, 8, 24, 9, 30, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(tick)
		return now
	}
}
