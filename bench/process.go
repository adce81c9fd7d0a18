package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/instructions"
)

// measureProcess asks a registry in this process.
func (t *trial) measureProcess(ctx context.Context) error {
	debug.FreeOSMemory() // of what came before, which is not to count
	fresh := resetPeak()
	registry, err := t.load(ctx)
	if err != nil {
		return err
	}
	for i := range t.asked {
		if err := t.inProcess(ctx, &t.asked[i], registry); err != nil {
			return err
		}
	}
	if bytes, ok := peakResident(os.Getpid()); ok && fresh {
		t.result.ProcessPeakMemoryBytes = bytes
	}
	if err := t.dispatch(ctx); err != nil {
		return err
	}
	if err := t.measureKept(ctx); err != nil {
		return err
	}
	return t.measureReload(ctx)
}

// load returns a registry that has loaded the catalog and built its index.
func (t *trial) load(ctx context.Context) (*rpc.Registry, error) {
	local, err := t.Open(t.corpus.path)
	if err != nil {
		return nil, err
	}
	t.next("load in process")
	first := question{name: "load", method: "instructions/list", params: encode(map[string]int{"limit": 1}),
		want: func(a *answer) bool { return a.finds(t.corpus.truth.entries, 1) }}
	start := time.Now()
	result, failure := local.Registry.Call(ctx, first.method, first.params)
	loaded := time.Now()
	if failure != nil {
		return nil, fmt.Errorf("%s: %w", first.name, failure)
	}
	t.next("index in process")
	if err := local.BuildIndex(ctx); err != nil {
		return nil, err
	}
	t.result.LoadMs, t.result.IndexMs = milliseconds(loaded.Sub(start)), milliseconds(time.Since(loaded))
	return local.Registry, first.checkResult(result)
}

// inProcess measures one question, and its floor where it has one.
func (t *trial) inProcess(ctx context.Context, q *question, registry *rpc.Registry) error {
	t.next(q.name + " in process")
	result, failure := registry.Call(ctx, q.method, q.params)
	if failure != nil {
		return fmt.Errorf("%s: %w", q.name, failure)
	}
	if err := q.checkResult(result); err != nil {
		return err
	}
	length := result.Len()
	result = nil
	runtime.GC() // of what checking left behind
	subjects := []subject{callOf(ctx, q, registry)}
	if q.readsFiles {
		subjects = append(subjects, t.readAndHash)
	}
	timings, err := interleave(ctx, q.rounds(t.Iterations), subjects...)
	if err != nil {
		return err
	}
	o := newOperation(q.name, Process, timings[0], length)
	if q.readsFiles {
		o = o.beside(FloorReadAndHash, timings[1])
	}
	t.result.Operations = append(t.result.Operations, o)
	return nil
}

// callOf is one call of the registry.
func callOf(ctx context.Context, q *question, registry *rpc.Registry) subject {
	return func() (time.Duration, error) {
		start := time.Now()
		_, failure := registry.Call(ctx, q.method, q.params)
		took := time.Since(start)
		if failure != nil {
			return took, fmt.Errorf("%s: %w", q.name, failure)
		}
		return took, nil
	}
}

// dispatch measures what the registry itself costs: a call of usage/track, with
// its params, its result and the check of both against the contract, and
// nothing behind it.
func (t *trial) dispatch(ctx context.Context) error {
	registry := t.Empty()
	if err := registry.Add(rpc.Toolset{Name: "idle", Contract: instructions.Contract(), Methods: []rpc.Method{idleTrack()}}); err != nil {
		return fmt.Errorf("%s: %w", dispatchOnly, err)
	}
	idle := question{name: dispatchOnly, method: "usage/track", params: encode(map[string]string{"id": t.corpus.truth.some}), brief: true,
		want: func(a *answer) bool { return a.is("notFound") }}
	return t.inProcess(ctx, &idle, registry)
}

type trackParams struct {
	ID     string `json:"id"`
	Action string `json:"action"`
	Signal string `json:"signal"`
}

type trackResult struct {
	ID         string `json:"id,omitempty"`
	UsageCount int64  `json:"usageCount,omitempty"`
	LastUsedAt string `json:"lastUsedAt,omitempty"`
	NotFound   bool   `json:"notFound,omitempty"`
}

// idleTrack is usage/track of a catalog that has nothing.
func idleTrack() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name: "usage/track", Title: "Track nothing", Summary: "Find nothing.", Doc: "Measures what a call costs before and after its method.",
		Since: "1.2", Stability: rpc.Experimental, Effect: rpc.Reads,
	}, func(context.Context, trackParams) (trackResult, error) { return trackResult{NotFound: true}, nil }, nil)
}
