package source

import (
	"context"
	"sync/atomic"
)

// progressKey is the key of a progress in a context.
type progressKey struct{}

// WithProgress returns a context whose loads tell, from any goroutine, how much is
// done of how much: files of a folder, bytes of a bundle.
func WithProgress(ctx context.Context, progress func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// progressOf returns whom a load with this context tells: somebody, even where
// nobody listens.
func progressOf(ctx context.Context) func(done, total int) {
	if progress, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		return progress
	}
	return func(int, int) {}
}

// counting returns a function that tells at each call that one more of n is done.
func counting(ctx context.Context, n int) func() {
	progress := progressOf(ctx)
	var done atomic.Int64
	return func() { progress(int(done.Add(1)), n) }
}
