package stdio

import (
	"context"
	"sync"
	"time"

	"instruction-catalog/rpc"
)

// turn is the place of a call among the ordered calls of its toolset.
type turn struct {
	before  *turn         // the turn of the previous call; nil if this call waits for no other
	blocked chan struct{} // closed when calls that read must no longer wait for this one
	done    chan struct{} // closed when this call and all previous ones have been answered
}

// turn returns the turn of a call. The turn of a concurrent call waits for no other call.
func (l *lanes) turn(c call) *turn {
	t := &turn{blocked: make(chan struct{}), done: make(chan struct{})}
	if c.lane == rpc.Ordered {
		t.before, l.last[c.toolset] = l.last[c.toolset], t
	}
	return t
}

// answer answers a call when its turn has come. It does not wait for its turn if the call
// is cancelled, if its time limit has passed, or if it reads and a previous call is blocked.
func (t *turn) answer(ctx context.Context, c call) {
	defer close(t.done)
	block := sync.OnceFunc(func() { close(t.blocked) })
	if t.before != nil {
		before := t.before
		t.before = nil // so that answered calls are not kept in memory
		defer func() { <-before.done }()
		t.wait(ctx, c, before, block)
	}
	if c.lane == rpc.Ordered && c.toolset.BlockedAfter > 0 {
		defer time.AfterFunc(c.toolset.BlockedAfter, block).Stop()
	}
	c.answer(ctx)
}

// wait waits for the turn of a call. A call that waits for a blocked call is blocked, too.
func (t *turn) wait(ctx context.Context, c call, before *turn, block func()) {
	select {
	case <-before.done: // even if it was blocked earlier
		return
	default:
	}
	select {
	case <-before.done:
		return
	case <-ctx.Done():
		return
	case <-before.blocked:
		block()
	}
	if c.reads {
		return
	}
	select {
	case <-before.done:
	case <-ctx.Done():
	}
}
