package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/instructions"
)

// trackKept is usage/track where the count is on disk before it answers.
const trackKept = "track on disk"

// maxKept is the largest catalog of which that is measured, in entries: it does
// not depend on the size, and larger ones take long to be loaded once more.
const maxKept = 5000

// measureKept measures usage/track with a journal, and in turn with it the least
// that takes.
func (t *trial) measureKept(ctx context.Context) (err error) {
	if t.corpus.truth.entries > maxKept {
		return nil
	}
	dir, err := os.MkdirTemp("", "catalog-bench-uses")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	uses := usage.Open(filepath.Join(dir, "uses.journal"), usage.SyncAlways, slog.New(slog.DiscardHandler))
	toolset := instructions.New(instructions.Config{Dir: t.corpus.path, Uses: uses, Now: time.Now}).Toolset()
	defer func() { err = errors.Join(err, toolset.Close()) }()
	registry := t.Empty()
	if err := registry.Add(toolset); err != nil {
		return fmt.Errorf("%s: %w", trackKept, err)
	}
	bare, err := os.OpenFile(filepath.Join(dir, "floor"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer bare.Close()
	if err := t.trackBeside(ctx, registry, bare); err != nil {
		return err
	}
	return uses.Status().Failure
}

func (t *trial) trackBeside(ctx context.Context, registry *rpc.Registry, bare *os.File) error {
	q := question{name: trackKept, method: "usage/track", params: encode(map[string]string{"id": t.corpus.truth.some}),
		brief: true, varies: true,
		want: func(a *answer) bool { return a.text("id") == t.corpus.truth.some && a.number("usageCount") > 0 }}
	t.next(q.name)
	result, failure := registry.Call(ctx, q.method, q.params)
	if failure != nil {
		return fmt.Errorf("%s: %w", q.name, failure)
	}
	if err := q.checkResult(result); err != nil {
		return err
	}
	timings, err := interleave(ctx, q.rounds(t.Iterations), callOf(ctx, &q, registry), appendAndSync(bare))
	if err != nil {
		return err
	}
	o := newOperation(q.name, Process, timings[0], result.Len()).beside(FloorAppendAndSync, timings[1])
	t.result.Operations = append(t.result.Operations, o)
	return nil
}

// appendAndSync appends a line as long as a record of one use, and brings it to
// the disk.
func appendAndSync(f *os.File) subject {
	line := make([]byte, 160)
	return func() (time.Duration, error) {
		start := time.Now()
		_, err := f.Write(line)
		if err == nil {
			err = f.Sync()
		}
		return time.Since(start), err
	}
}
