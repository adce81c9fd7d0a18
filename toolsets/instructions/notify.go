package instructions

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/history"
)

// changeNotifier tells clients of each new state of the catalog, and saves its
// revision. Both are done by one goroutine, which may wait for a client that does not
// read: nothing but the next notification waits for it, and the changes meanwhile
// become one.
type changeNotifier struct {
	history *history.History
	swapped chan struct{} // holds one after a swap
	kept    atomic.Int64  // broken files whose entries are served as they were before

	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex
	listeners map[any]*listener

	onChange func(before *catalog.Snapshot, c catalog.Changes) // nil if nothing is to be called
	told     *catalog.Snapshot                                 // the latest one that onChange was called with
}

// listener is a client that has subscribed.
type listener struct {
	ctx  context.Context
	stop context.CancelFunc
	tell func(context.Context, change)
	told history.State // the latest one that it was told of
	kept int64         // what it was told of the broken files
}

// change is that the catalog has another state than before.
type change struct {
	history.State
	Previous history.State `json:"previous"`
	Kept     int64         `json:"kept,omitempty"` // as in health/check
}

func newChangeNotifier(h *history.History) *changeNotifier {
	n := &changeNotifier{history: h, swapped: make(chan struct{}, 1), listeners: map[any]*listener{}}
	n.ctx, n.stop = context.WithCancel(context.Background())
	return n
}

func (n *changeNotifier) start() { n.running.Go(n.run) }

// close saves the last revision, whether or not a client reads.
func (n *changeNotifier) close() {
	n.stop()
	n.history.Save()
	n.running.Wait()
}

// onSwap notes a new snapshot. It waits for no client.
func (n *changeNotifier) onSwap(before, after *catalog.Snapshot) {
	if before == nil {
		n.told = after // run reads it after it was woken
	}
	n.history.Note(after)
	n.kept.Store(int64(len(after.Kept())))
	select {
	case n.swapped <- struct{}{}:
	default:
	}
}

// saveAfter is how long after a swap its revision is saved, so that clients are
// answered first, and several swaps are saved as one.
const saveAfter = 200 * time.Millisecond

func (n *changeNotifier) run() {
	var save <-chan time.Time
	for {
		select {
		case <-n.ctx.Done():
			return
		case <-n.swapped:
			if save == nil {
				save = time.After(saveAfter)
			}
			n.notify()
		case <-save:
			save = nil
			n.history.Save()
		}
	}
}

// notify tells all listeners, and then onChange, what has changed since they were last
// told.
func (n *changeNotifier) notify() {
	for _, l := range n.current() {
		now, kept := n.history.Current(), n.kept.Load()
		if (now != l.told || kept != l.kept) && l.ctx.Err() == nil {
			l.tell(l.ctx, change{now, l.told, kept})
			l.told, l.kept = now, kept
		}
	}
	if n.onChange == nil || n.told == nil {
		return
	}
	before := n.told
	now, changes := n.history.After(before)
	n.told = now
	if !changes.Empty() {
		n.onChange(before, changes)
	}
}

// current returns the listeners that are still there, and forgets the others.
func (n *changeNotifier) current() []*listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.listeners, func(_ any, l *listener) bool { return l.ctx.Err() != nil })
	return slices.Collect(maps.Values(n.listeners))
}

// listen calls tell for each change from now on, until ctx ends or ignore is called
// with the same name, and returns the state of the catalog now. While tell runs,
// further changes become one. If the name is listening already, it goes on to.
func (n *changeNotifier) listen(ctx context.Context, name any, tell func(context.Context, change)) history.State {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.history.Current()
	if n.listeners[name] == nil {
		l := &listener{tell: tell, told: now, kept: n.kept.Load()}
		l.ctx, l.stop = context.WithCancel(ctx)
		n.listeners[name] = l
	}
	return now
}

// ignore ends the listening under a name. It does nothing if there is none.
func (n *changeNotifier) ignore(name any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if l, ok := n.listeners[name]; ok {
		l.stop()
		delete(n.listeners, name)
	}
}
