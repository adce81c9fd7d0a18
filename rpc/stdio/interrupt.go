package stdio

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// errInterrupted ends the input early. Unlike at its end, what is left of a
// line is then not a line.
var errInterrupted = errors.New("interrupted")

// interruptible is a reader that ends when its context does. A read from a pipe
// cannot be called back, so one that waits at that moment is given up: whatever
// it may bring later is not taken.
type interruptible struct {
	ctx   context.Context
	in    io.Reader
	state atomic.Int32
}

// The states of an interruptible.
const (
	busy    int32 = iota // what was read is being dealt with
	waiting              // for the stream underneath
	givenUp
)

func (r *interruptible) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil || !r.state.CompareAndSwap(busy, waiting) {
		return 0, errInterrupted
	}
	n, err := r.in.Read(p)
	if !r.state.CompareAndSwap(waiting, busy) {
		return 0, errInterrupted
	}
	return n, err
}

// over returns when nothing more will be read: when ended is closed, or once
// the context is over and the reader has nothing left to do but to wait.
func (r *interruptible) over(ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-r.ctx.Done():
	}
	// A read that has just returned gets the time to say so.
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
			if r.state.CompareAndSwap(waiting, givenUp) {
				return
			}
		}
	}
}
