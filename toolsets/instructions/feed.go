package instructions

import (
	"context"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/history"
)

// feed tells those who want to know of each new state of the catalog.
type feed struct {
	history *history.History
	swapped chan struct{} // holds one where there may be news
	untold  chan struct{} // holds one where onChange may not know of them
	unsaved chan struct{} // holds one where they are not saved

	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex
	listeners map[any]*listener

	onChange func(before *catalog.Snapshot, c catalog.Changes) // nil where nobody wants to know
	told     *catalog.Snapshot                                 // the latest one that onChange knows of
}

// listener is somebody who wants to know.
type listener struct {
	news chan struct{} // holds one where there may be some
	stop context.CancelFunc
}

// change is that the catalog has another state than before.
type change struct {
	history.State
	Previous history.State `json:"previous"`
}

func newFeed(h *history.History) *feed {
	f := &feed{history: h, swapped: make(chan struct{}, 1), untold: make(chan struct{}, 1), unsaved: make(chan struct{}, 1), listeners: map[any]*listener{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	return f
}

func (f *feed) start() {
	f.running.Go(f.run)
	f.running.Go(f.announce)
	f.running.Go(f.save)
}

func (f *feed) close() {
	f.stop()
	f.running.Wait()
}

// onSwap takes note of a new snapshot. Nobody waits for what follows from it.
func (f *feed) onSwap(before, after *catalog.Snapshot) {
	if before == nil {
		f.told = after // nobody reads it before it is woken
	}
	f.history.Note(after)
	wake(f.swapped)
}

func wake(sleeper chan struct{}) {
	select {
	case sleeper <- struct{}{}:
	default:
	}
}

// run has each swap told and saved, until the feed is closed. It waits for no client.
func (f *feed) run() {
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-f.swapped:
		}
		f.mu.Lock()
		for _, l := range f.listeners {
			wake(l.news)
		}
		f.mu.Unlock()
		wake(f.untold)
		wake(f.unsaved)
	}
}

// announce tells onChange what has changed since the last time. While that waits for
// clients that do not read, further changes become one.
func (f *feed) announce() {
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-f.untold:
		}
		if f.onChange == nil || f.told == nil {
			continue
		}
		before := f.told
		now, changes := f.history.After(before)
		f.told = now
		if !changes.Empty() {
			f.onChange(before, changes)
		}
	}
}

// saveAfter is how long after a swap its revision is saved, so that who asks comes
// first, and several swaps are saved as one.
const saveAfter = 200 * time.Millisecond

// save saves the history after each swap, and when the feed is closed.
func (f *feed) save() {
	for f.ctx.Err() == nil {
		select {
		case <-f.ctx.Done():
			continue
		case <-f.unsaved:
		}
		select {
		case <-f.ctx.Done():
		case <-time.After(saveAfter):
			f.history.Save()
		}
	}
	f.history.Save()
}

// listen has a function told of each change from now on, until ctx or the listening
// ends, and returns the state of the catalog now. While it is told of one, others
// become one change. Who listens under a name already goes on to.
func (f *feed) listen(ctx context.Context, name any, tell func(context.Context, change)) history.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.history.Current()
	if f.listeners[name] != nil {
		return now
	}
	l := &listener{news: make(chan struct{}, 1)}
	ctx, l.stop = context.WithCancel(ctx)
	f.listeners[name] = l
	go func() {
		f.tell(ctx, l, now, tell)
		f.forget(name, l)
	}()
	return now
}

// forget takes a listener out that listens no more.
func (f *feed) forget(name any, l *listener) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l.stop()
	if f.listeners[name] == l {
		delete(f.listeners, name)
	}
}

func (f *feed) tell(ctx context.Context, l *listener, told history.State, tell func(context.Context, change)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.news:
		}
		if now := f.history.Current(); now != told && ctx.Err() == nil {
			tell(ctx, change{now, told})
			told = now
		}
	}
}

// ignore ends the listening under a name, if there is any.
func (f *feed) ignore(name any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l, ok := f.listeners[name]; ok {
		l.stop()
		delete(f.listeners, name)
	}
}
