package stdio

import (
	"context"
	"sync"

	"instruction-catalog/rpc"
)

// notices writes notifications, none of them between an inline call or a batch and
// its answer: a client that has read one knows that what it reads next was found
// later. It is safe for concurrent use.
type notices struct {
	out *output

	mu        sync.Mutex
	answering int // inline calls and batches whose answers are not written yet
	waiting   []notice
	over      bool // nothing is written any more
}

type notice struct {
	ctx     context.Context // the notification is dropped when it ends
	line    rpc.JSON
	written chan struct{} // closed when it is, or will not be
}

// begin says that an answer is under way.
func (n *notices) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answering++
}

// end says that it is written.
func (n *notices) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answering--
	if n.answering == 0 {
		n.flush()
	}
}

// send writes a notification as soon as it may, unless ctx ends before, and returns
// when that is decided.
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

// stop has nothing written any more.
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
