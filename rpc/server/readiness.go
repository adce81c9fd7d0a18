package server

import (
	"context"
	"sync"
	"time"

	"instruction-catalog/rpc"
)

// state is the combined state of all toolsets of a server.
type state string

const (
	ready   state = "ready"
	loading state = "loading"
	failed  state = "failed"
)

// condition is the state of all toolsets, and their gauges.
type condition struct {
	state  state
	gauges []rpc.Gauge
}

// readiness checks the health of the toolsets. It runs one check at a time and at most
// one a second, because a check may load data and unauthenticated clients can trigger it.
type readiness struct {
	registry *rpc.Registry

	mu      sync.Mutex
	checked time.Time
	running chan struct{} // closed when the running check is done; nil if no check is running
	last    condition
}

const checkInterval = time.Second

// check returns the condition of the toolsets. If ctx is done before the check is, it
// returns the last condition, or the state loading if there has not been a check.
func (r *readiness) check(ctx context.Context) condition {
	r.mu.Lock()
	if r.running == nil && (r.last.state == "" || time.Since(r.checked) >= checkInterval) {
		r.running = make(chan struct{})
		go r.run(context.WithoutCancel(ctx), r.running)
	}
	running, last := r.running, r.last
	r.mu.Unlock()
	if running == nil {
		return last
	}
	select {
	case <-running:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.last
	case <-ctx.Done():
	}
	if last.state == "" {
		last.state = loading
	}
	return last
}

func (r *readiness) run(ctx context.Context, done chan struct{}) {
	now := r.condition(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.checked, r.running = now, time.Now(), nil
	close(done)
}

// condition checks every toolset. A server whose toolsets have no health is ready.
func (r *readiness) condition(ctx context.Context) condition {
	c := condition{state: ready}
	for _, t := range r.registry.Toolsets() {
		if t.Health == nil {
			continue
		}
		health := r.registry.Health(ctx, t)
		if health.Failed {
			c.state = failed
		}
		c.gauges = append(c.gauges, health.Gauges...)
	}
	return c
}
