package stdio

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/semaphore"

	"instruction-catalog/rpc"
)

// maxPending is how many calls may be under way beside others, or wait for their
// turn. Then reading waits.
const maxPending = 64

// lanes runs calls, each beside those that its lane allows.
type lanes struct {
	ctx     context.Context // ends when no call may take more time
	notices *notices
	pending *semaphore.Weighted
	running sync.WaitGroup
	open    sync.WaitGroup                 // calls in the lane [rpc.Open]
	last    map[*rpc.Toolset]chan struct{} // closed when the last ordered call of a toolset has been answered

	mu      sync.Mutex
	cancels map[*cancellation]struct{} // of the calls that are pending
}

// cancellation is how a call is cancelled.
type cancellation struct {
	id     string // as [canonical] has it
	cancel context.CancelFunc
}

func newLanes(ctx context.Context, notices *notices) *lanes {
	return &lanes{
		ctx: ctx, notices: notices, pending: semaphore.NewWeighted(maxPending),
		last: map[*rpc.Toolset]chan struct{}{}, cancels: map[*cancellation]struct{}{},
	}
}

// call is a call on its way to an answer.
type call struct {
	lane    rpc.Lane
	toolset *rpc.Toolset    // of an ordered one: the calls before which it waits for
	id      json.RawMessage // by which it can be cancelled; nil for none
	// answer makes and passes on the answer. Its turn has come, unless ctx is
	// over.
	answer func(ctx context.Context)
}

// run runs a call. It returns when what follows may be looked at.
func (l *lanes) run(c call) {
	switch c.lane {
	case rpc.Inline:
		l.notices.begin()
		defer l.notices.end()
		c.answer(l.ctx)
	case rpc.Yielding:
		l.runYielding(c)
	case rpc.Open:
		l.open.Go(func() { c.answer(l.ctx) })
	default:
		ctx, end := l.cancellable(c)
		if l.pending.Acquire(l.ctx, 1) != nil {
			end()
			return // serving has ended
		}
		before, done := l.turn(c)
		l.running.Go(func() {
			defer l.pending.Release(1)
			defer end()
			answerInTurn(ctx, c, before, done)
		})
	}
}

// runYielding runs a call and returns when it is answered, or has yielded.
func (l *lanes) runYielding(c call) {
	if l.pending.Acquire(l.ctx, 1) != nil {
		return // serving has ended
	}
	l.notices.begin()
	defer l.notices.end()
	yielded, answered := make(chan struct{}), make(chan struct{})
	ctx := rpc.WithYield(l.ctx, sync.OnceFunc(func() { close(yielded) }))
	l.running.Go(func() {
		defer l.pending.Release(1)
		defer close(answered)
		c.answer(ctx)
	})
	select {
	case <-answered:
	case <-yielded:
	}
}

// turn returns what an ordered call waits for, and what it closes when it has
// been answered. A concurrent one waits for nothing.
func (l *lanes) turn(c call) (before <-chan struct{}, done chan struct{}) {
	done = make(chan struct{})
	first := make(chan struct{})
	close(first)
	if c.lane != rpc.Ordered {
		return first, done
	}
	before = first
	if last, ok := l.last[c.toolset]; ok {
		before = last
	}
	l.last[c.toolset] = done
	return before, done
}

// answerInTurn answers a call when its turn has come, or it is cancelled or its
// time is over before.
func answerInTurn(ctx context.Context, c call, before <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	select {
	case <-before:
	case <-ctx.Done():
	}
	c.answer(ctx)
	<-before // for the call after it
}

// limited returns a context that is over when a call may take no more time.
func (l *lanes) limited(c call) (context.Context, context.CancelFunc) {
	if c.lane == rpc.Ordered && c.toolset.Limit > 0 {
		return context.WithTimeout(l.ctx, c.toolset.Limit)
	}
	return context.WithCancel(l.ctx)
}

// cancellable returns the context of a call, and what to do at its end.
func (l *lanes) cancellable(c call) (context.Context, func()) {
	ctx, cancel := l.limited(c)
	if c.id == nil {
		return ctx, cancel
	}
	own := &cancellation{canonical(c.id), cancel}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancels[own] = struct{}{}
	return ctx, func() {
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.cancels, own)
	}
}

// cancel cancels the call with this id, if it is under way or waits: all of them,
// where a client has several.
func (l *lanes) cancel(id json.RawMessage) {
	wanted := canonical(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.cancels {
		if c.id == wanted {
			c.cancel()
		}
	}
}

// canonical returns an id in the form that is the same however its string was
// escaped. One that is not well-formed Unicode is compared as it was written.
func canonical(id json.RawMessage) string {
	var text string
	if id[0] != '"' || json.Unmarshal(id, &text) != nil || strings.ContainsRune(text, utf8.RuneError) {
		return string(id)
	}
	return "text " + text // begins as no id does that was written
}
