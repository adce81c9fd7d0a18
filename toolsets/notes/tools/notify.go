package tools

import (
	"context"
	"sync"

	"instruction-catalog/toolsets/notes"
)

// changeNotifier reports the URIs of changed notes. If the receiver is slow, the changes
// that accumulate meanwhile are reported in one call.
type changeNotifier struct {
	tell    func(uris []string)
	swapped chan struct{} // buffered signal: latest was set
	stop    context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	told   *notes.Snapshot // the snapshot of the last report
	latest *notes.Snapshot
}

// newChangeNotifier starts a notifier. Call close to stop it.
func newChangeNotifier(tell func(uris []string)) *changeNotifier {
	ctx, stop := context.WithCancel(context.Background())
	n := &changeNotifier{tell: tell, swapped: make(chan struct{}, 1), stop: stop}
	n.running.Go(func() { n.run(ctx) })
	return n
}

func (n *changeNotifier) close() {
	n.stop()
	n.running.Wait()
}

// onSwap records a new snapshot. It does not wait for clients.
func (n *changeNotifier) onSwap(s *notes.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told == nil {
		n.told = s
	}
	n.latest = s
	select {
	case n.swapped <- struct{}{}:
	default:
	}
}

func (n *changeNotifier) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.swapped:
		}
		n.mu.Lock()
		before, after := n.told, n.latest
		n.told = after
		n.mu.Unlock()
		var uris []string
		for _, id := range after.ChangedSince(before) {
			uris = append(uris, urisOf(id)...)
		}
		if len(uris) > 0 {
			n.tell(uris)
		}
	}
}
