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

// changeNotifier notifies clients of each new state of the catalog and saves its revision.
// One goroutine does both. If a client does not read, later notifications and saves wait,
// and the changes that accumulate meanwhile are reported as one.
type changeNotifier struct {
	history *history.History
	swapped chan struct{} // buffered signal: a swap happened
	kept    atomic.Int64  // broken files whose previous entries are still served

	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex
	listeners map[any]*listener

	onChange func(before *catalog.Snapshot, c catalog.Changes) // nil if there is no callback
	notified *catalog.Snapshot                                 // the snapshot last passed to onChange
}

// listener is a subscribed client.
type listener struct {
	ctx      context.Context
	stop     context.CancelFunc
	notify   func(context.Context, change)
	notified history.State // the state last sent to the client
	kept     int64         // the Kept count last sent to the client
}

// change is a notification of a new catalog state.
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

// close saves the last revision and then waits for the goroutine to end. It saves first
// because the goroutine may be waiting for a client that does not read.
func (n *changeNotifier) close() {
	n.stop()
	n.history.Save()
	n.running.Wait()
}

// onSwap records a new snapshot and wakes the goroutine. It does not wait for clients.
func (n *changeNotifier) onSwap(before, after *catalog.Snapshot) {
	if before == nil {
		n.notified = after // the send below makes this visible to run
	}
	n.history.Note(after)
	n.kept.Store(int64(len(after.Kept())))
	select {
	case n.swapped <- struct{}{}:
	default:
	}
}

// saveAfter is the delay between a swap and saving its revision. Clients are answered
// first, and swaps within the delay are saved together.
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

// notify calls all listeners whose last known state has changed, and then onChange.
func (n *changeNotifier) notify() {
	for _, l := range n.current() {
		now, kept := n.history.Current(), n.kept.Load()
		if (now != l.notified || kept != l.kept) && l.ctx.Err() == nil {
			l.notify(l.ctx, change{now, l.notified, kept})
			l.notified, l.kept = now, kept
		}
	}
	if n.onChange == nil || n.notified == nil {
		return
	}
	before := n.notified
	now, changes := n.history.After(before)
	n.notified = now
	if !changes.Empty() {
		n.onChange(before, changes)
	}
}

// current removes the listeners whose context is done and returns the others.
func (n *changeNotifier) current() []*listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.listeners, func(_ any, l *listener) bool { return l.ctx.Err() != nil })
	return slices.Collect(maps.Values(n.listeners))
}

// listen registers notify, which is called for each later change until ctx is done or
// ignore is called with the same name. It returns the current state of the catalog.
// Changes that occur while notify runs are reported as one. If name is already registered,
// the existing listener stays.
func (n *changeNotifier) listen(ctx context.Context, name any, notify func(context.Context, change)) history.State {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.history.Current()
	if n.listeners[name] == nil {
		l := &listener{notify: notify, notified: now, kept: n.kept.Load()}
		l.ctx, l.stop = context.WithCancel(ctx)
		n.listeners[name] = l
	}
	return now
}

// ignore removes the listener registered under name, if any.
func (n *changeNotifier) ignore(name any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if l, ok := n.listeners[name]; ok {
		l.stop()
		delete(n.listeners, name)
	}
}
