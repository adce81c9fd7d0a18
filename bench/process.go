package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"instruction-catalog/rpc"
)

// measureProcess measures the questions in this process.
func (t *trial) measureProcess(ctx context.Context) (err error) {
	debug.FreeOSMemory() // so that garbage of earlier sizes is not counted
	fresh := resetPeak()
	local, err := t.Open(t.corpus.path, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, local.Registry.Close()) }()
	if err := t.load(ctx, local); err != nil {
		return err
	}
	for i := range t.questions {
		q := &t.questions[i]
		kind, floor := Floor(""), subject(nil)
		if q.readsFiles {
			kind, floor = FloorReadAndHash, t.readAndHash
		}
		if err := t.inProcess(ctx, q, local.Registry, kind, floor); err != nil {
			return err
		}
	}
	if bytes, ok := peakResident(os.Getpid()); ok && fresh {
		t.result.addMemory(Process, bytes)
	}
	return t.measureTrackOnDisk(ctx)
}

// load measures the first call, which loads the catalog, and then the time until the
// search index is built. Because this process waits for the index, all processors build
// it.
func (t *trial) load(ctx context.Context, local *Local) error {
	t.next("load in process")
	first := question{name: loading, method: "instructions/list", params: encode(params{"limit": 1}),
		want: func(a *answer) bool { return a.finds(t.corpus.entries, 1) }}
	start := time.Now()
	result, err := call(ctx, &first, local.Registry)
	if err != nil {
		return err
	}
	loaded := time.Now()
	t.next("index in process")
	if err := local.BuildIndex(ctx); err != nil {
		return err
	}
	t.result.add(loading, Process, result.Len(), "", summarise([]time.Duration{loaded.Sub(start)}))
	t.readiness = time.Since(start)
	t.result.add(indexBuild, Process, 0, "", summarise([]time.Duration{time.Since(loaded)}))
	return first.checkResult(result)
}

// inProcess checks the answer to one question, then measures the question and, if kind
// is not empty, its floor.
func (t *trial) inProcess(ctx context.Context, q *question, registry *rpc.Registry, kind Floor, floor subject) error {
	t.next(q.name + " in process")
	result, err := call(ctx, q, registry)
	if err != nil {
		return err
	}
	if err := q.checkResult(result); err != nil {
		return err
	}
	length := result.Len()
	result = nil
	subjects := []subject{func() (time.Duration, error) {
		start := time.Now()
		_, err := call(ctx, q, registry)
		return time.Since(start), err
	}}
	if kind != "" {
		subjects = append(subjects, floor)
	}
	return t.measure(ctx, q, Process, length, kind, subjects...)
}

// measure measures a question and its floor, if it has one, in turn and adds the
// result.
func (t *trial) measure(ctx context.Context, q *question, over Transport, length int, kind Floor, subjects ...subject) error {
	runtime.GC() // collect the garbage left by the check
	if over == Pipe {
		if _, err := interleave(ctx, 1, subjects...); err != nil { // warm-up, not counted: buffers grow
			return err
		}
	}
	timings, err := interleave(ctx, q.rounds(t.Iterations), subjects...)
	if err == nil {
		t.result.add(q.name, over, length, kind, timings...)
	}
	return err
}

func call(ctx context.Context, q *question, registry *rpc.Registry) (rpc.JSON, error) {
	result, failure := registry.Call(ctx, q.method, q.params)
	if failure != nil {
		return nil, fmt.Errorf("%s: %w", q.name, failure)
	}
	return result, nil
}

// maxOnDisk is the largest catalog, in entries, for which usage/track with a journal is
// measured. Its time does not depend on the size, and loading a larger catalog again
// takes a long time.
const maxOnDisk = 5000

// measureTrackOnDisk measures usage/track with a journal. Its floor appends a line to a
// file in the same folder.
func (t *trial) measureTrackOnDisk(ctx context.Context) (err error) {
	if t.corpus.entries > maxOnDisk {
		return nil
	}
	dir, err := os.MkdirTemp("", "catalog-bench-uses")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	local, err := t.Open(t.corpus.path, filepath.Join(dir, "uses.journal"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, local.Registry.Close()) }()
	bare, err := os.OpenFile(filepath.Join(dir, "floor"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer bare.Close()
	q := track(trackOnDisk, t.corpus)
	return t.inProcess(ctx, &q, local.Registry, FloorAppendAndSync, appendAndSync(bare))
}
