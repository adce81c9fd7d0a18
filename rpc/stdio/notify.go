package stdio

import (
	"context"
	"sync"

	"instruction-catalog/rpc"
)

// notices writes notifications. It never writes one between an inline call or a batch and
// its answer, so an answer that a client reads after a notification is also newer. It is
// safe for concurrent use.
type notices struct {
	out *output

	mu        sync.Mutex
	answering int // inline calls and batches whose answers are not written yet
	waiting   []notice
	over      bool // notifications are dropped
}

type notice struct {
	ctx     context.Context // the notification is dropped if ctx is done
	line    rpc.JSON
	written chan struct{} // closed when the notification is written or dropped
}

// begin delays notifications until end is called.
func (n *notices) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answering++
}

// end is called when the answer is written. If no other answer is pending, it writes the
// waiting notifications.
func (n *notices) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answering--
	if n.answering == 0 {
		n.flush()
	}
}

// send writes a notification when no answer is pending. It drops the notification if ctx is
// done first. It returns when the notification is written or dropped.
func (n *notices) send(ctx context.Context, line rpc.JSON) {
	one := notice{ctx, line, make(chan struct{})}
	n.mu.Lock()
	n.waiting = append(n.waiting, one)
	if n.answering == 0 {
		n.flush()
	}
	n.mu.Unlock()
	<-one.written
}

// stop drops the waiting notifications and all later ones.
func (n *notices) stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.over = true
	n.flush()
}

func (n *notices) flush() {
	for _, one := range n.waiting {
		if !n.over && one.ctx.Err() == nil {
			n.out.writeLine(one.line)
		}
		close(one.written)
	}
	n.waiting = nil
}
