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

// live reloads the catalog when its files change, starting after the first load.
type live struct {
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

func newLive(config Config, store *catalog.Store, from *source.Source, signed *signed) *live {
	l := &live{store: store, source: from, signed: signed, log: config.Log, loaded: make(chan struct{})}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.watcher = watch.New(config.Dir, l.look, config.Log)
	return l
}

// start starts notifications and, if the toolset watches its files, waits in the
// background for the first load to begin watching.
func (t *Toolset) start(context.Context) error {
	t.notifier.start()
	t.meaning.start()
	if t.live != nil {
		t.store.OnSwap(t.live.swapped)
		t.live.running.Go(t.live.run)
	}
	return nil
}

func (t *Toolset) close() error {
	if t.live != nil {
		t.live.stop()
		t.live.running.Wait()
	}
	t.notifier.close()
	return errors.Join(t.meaning.close(), t.uses.Close())
}

func (l *live) swapped(before, after *catalog.Snapshot) {
	if before == nil {
		close(l.loaded)
		return
	}
	for _, d := range after.Kept() {
		if !slices.Contains(before.Kept(), d) {
			l.log.Warn(d.String())
		}
	}
}

func (l *live) run() {
	select {
	case <-l.loaded:
		l.watcher.Run(l.ctx)
	case <-l.ctx.Done():
	}
}

// look reloads the changed files and returns the folders to watch.
func (l *live) look(ctx context.Context, changed []string) ([]string, error) {
	err := l.store.Reload(ctx, l.signed.admit(func(ctx context.Context) (*catalog.Snapshot, error) { return l.source.LoadChanged(ctx, changed) }))
	if err != nil {
		l.tell(ctx, err)
		return nil, err
	}
	if l.stale.Swap(nil) != nil {
		l.log.Info("the catalog is reloaded from its files again")
	}
	return l.source.Folders(), nil
}

// tell logs why the catalog cannot be reloaded. It logs the same reason only once in a
// row.
func (l *live) tell(ctx context.Context, err error) {
	reason := err.Error()
	if before := l.stale.Swap(&reason); ctx.Err() == nil && (before == nil || *before != reason) {
		l.log.Warn("the previous state of the catalog is still served: " + reason)
	}
}

// trouble returns why the served catalog differs from its files, and why the files are
// polled instead of watched. Each is "" if that is not the case.
func (l *live) trouble() (stale, unwatched string) {
	if reason := l.stale.Load(); reason != nil {
		stale = *reason
	}
	return stale, l.watcher.Trouble()
}
