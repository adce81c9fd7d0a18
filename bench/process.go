package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"instruction-catalog/rpc"
)

// measureProcess asks the same of a registry in this process.
func (t *trial) measureProcess(ctx context.Context, asked []question) error {
	registry, err := t.Registry(t.dir)
	if err != nil {
		return err
	}
	for i := range asked {
		if err := t.inProcess(ctx, &asked[i], registry); err != nil {
			return err
		}
	}
	return nil
}

// inProcess measures one question, and its floor where it has one.
func (t *trial) inProcess(ctx context.Context, q *question, registry *rpc.Registry) error {
	t.steps.next(t.result.Size, q.name+" in process")
	result, failure := registry.Call(ctx, q.method, q.params)
	if failure != nil {
		return fmt.Errorf("%s: %w", q.name, failure)
	}
	if err := q.checkResult(result.Bytes()); err != nil {
		return err
	}
	runtime.GC() // of what checking left behind
	subjects := []subject{callOf(ctx, q, registry)}
	if q.readsFiles {
		subjects = append(subjects, t.readAndHash)
	}
	timings, err := interleave(ctx, q.rounds(t.Iterations), subjects...)
	if err != nil {
		return err
	}
	o := newOperation(q.name, Process, timings[0], result.Len())
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
