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

// maxPending is the maximum number of ordered, concurrent and yielding calls that are
// running or waiting for their turn. When it is reached, the server stops reading input.
const maxPending = 64

// lanes runs calls, each concurrently with those that its lane allows.
type lanes struct {
	ctx     context.Context // done when all calls must stop
	notices *notices
	pending *semaphore.Weighted
	running sync.WaitGroup
	open    sync.WaitGroup         // calls in the lane [rpc.Open]
	last    map[*rpc.Toolset]*turn // the turn of the last ordered call of each toolset

	mu      sync.Mutex
	cancels map[*cancellation]struct{} // of the pending ordered and concurrent calls that have an id
}

// cancellation cancels a pending call.
type cancellation struct {
	id     string // as returned by [canonical]
	cancel context.CancelFunc
}

func newLanes(ctx context.Context, notices *notices) *lanes {
	return &lanes{
		ctx: ctx, notices: notices, pending: semaphore.NewWeighted(maxPending),
		last: map[*rpc.Toolset]*turn{}, cancels: map[*cancellation]struct{}{},
	}
}

// call is a call that has not been answered yet.
type call struct {
	lane    rpc.Lane
	toolset *rpc.Toolset    // for an ordered call: the toolset within which calls are ordered
	reads   bool            // for an ordered call: it only reads
	id      json.RawMessage // the id by which it can be cancelled; nil if it has no id
	// answer makes the call and passes on the answer. It may be called before the turn of
	// an ordered call; see [turn.answer].
	answer func(ctx context.Context)
}

// run runs a call. It returns when the next message may be handled.
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
		t, answer := l.turn(c), c.answer
		c.answer = func(ctx context.Context) { // an answered call no longer counts, even if it passed others
			defer l.pending.Release(1)
			defer end()
			answer(ctx)
		}
		l.running.Go(func() { t.answer(ctx, c) })
	}
}

// runYielding runs a call. It returns when the call has been answered or has yielded.
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

// limited returns the context of a call, with the time limit of its toolset if the call is
// ordered.
func (l *lanes) limited(c call) (context.Context, context.CancelFunc) {
	if c.lane == rpc.Ordered && c.toolset.Limit > 0 {
		return context.WithTimeout(l.ctx, c.toolset.Limit)
	}
	return context.WithCancel(l.ctx)
}

// cancellable returns the context of a call, and a function to call when the call ends. It
// registers the call for [lanes.cancel] if the call has an id.
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

// cancel cancels all running and waiting ordered and concurrent calls with this id. It
// does nothing if there are no such calls.
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

// canonical returns a form of an id that does not depend on how its string is escaped. An
// id that is not well-formed Unicode is returned as it was written.
func canonical(id json.RawMessage) string {
	var text string
	if id[0] != '"' || json.Unmarshal(id, &text) != nil || strings.ContainsRune(text, utf8.RuneError) {
		return string(id)
	}
	return "text " + text // no JSON value begins like this
}
