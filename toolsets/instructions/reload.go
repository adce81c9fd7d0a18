package instructions

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/watch"
)

// reloader reloads the catalog when its files change, starting after the first load.
type reloader struct {
	store   *catalog.Store
	source  *source.Source
	signed  *signed
	log     *slog.Logger
	watcher *watch.Watcher
	stale   atomic.Pointer[string] // why the served catalog differs from its files; nil if it does not

	loaded  chan struct{} // closed at the first load
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
}

func newReloader(config Config, store *catalog.Store, from *source.Source, signed *signed) *reloader {
	r := &reloader{store: store, source: from, signed: signed, log: config.Log, loaded: make(chan struct{})}
	r.ctx, r.stop = context.WithCancel(context.Background())
	r.watcher = watch.New(config.Dir, r.reload, config.Log)
	return r
}

// start starts notifications and the index for the comparison by meaning. If the toolset
// watches its files, watching begins in the background after the first load.
func (t *Toolset) start(context.Context) error {
	t.notifier.start()
	t.meaning.start()
	if t.reloader != nil {
		t.store.OnSwap(t.reloader.swapped)
		t.reloader.running.Go(t.reloader.run)
	}
	return nil
}

func (t *Toolset) close() error {
	if t.reloader != nil {
		t.reloader.stop()
		t.reloader.running.Wait()
	}
	t.notifier.close()
	return errors.Join(t.meaning.close(), t.uses.Close())
}

func (r *reloader) swapped(before, after *catalog.Snapshot) {
	if before == nil {
		close(r.loaded)
		return
	}
	for _, d := range after.Kept() {
		if !slices.Contains(before.Kept(), d) {
			r.log.Warn(d.String())
		}
	}
}

func (r *reloader) run() {
	select {
	case <-r.loaded:
		r.watcher.Run(r.ctx)
	case <-r.ctx.Done():
	}
}

// reload reloads the changed files and returns the folders to watch.
func (r *reloader) reload(ctx context.Context, changed []string) ([]string, error) {
	err := r.store.Reload(ctx, r.signed.admit(func(ctx context.Context) (*catalog.Snapshot, error) { return r.source.LoadChanged(ctx, changed) }))
	if err != nil {
		r.logFailure(ctx, err)
		return nil, err
	}
	if r.stale.Swap(nil) != nil {
		r.log.Info("the catalog is reloaded from its files again")
	}
	return r.source.Folders(), nil
}

// logFailure logs why the catalog cannot be reloaded. It does not log the same reason twice
// in a row.
func (r *reloader) logFailure(ctx context.Context, err error) {
	reason := err.Error()
	if before := r.stale.Swap(&reason); ctx.Err() == nil && (before == nil || *before != reason) {
		r.log.Warn("the previous state of the catalog is still served: " + reason)
	}
}

// trouble returns why the served catalog differs from its files, and why the files are
// polled instead of watched. Each is "" if that is not the case.
func (r *reloader) trouble() (stale, unwatched string) {
	if reason := r.stale.Load(); reason != nil {
		stale = *reason
	}
	return stale, r.watcher.Trouble()
}
