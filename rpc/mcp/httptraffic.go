package mcp

import (
	"context"
	"sync"
)

// traffic knows which requests are under way, so that they can be waited for.
type traffic struct {
	most int // streams

	mu      sync.Mutex
	closed  bool // nothing more is let in
	under   int  // way, parked streams among them
	streams map[*answering]struct{}
	settled func() // closes quiet, once
	quiet   chan struct{}
}

func newTraffic(streams int) *traffic {
	t := &traffic{most: streams, streams: map[*answering]struct{}{}, quiet: make(chan struct{})}
	t.settled = sync.OnceFunc(func() { close(t.quiet) })
	return t
}

// enter lets a request in, if any still is.
func (t *traffic) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.under++
	return true
}

func (t *traffic) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.under--
	t.check()
}

// park takes a request that has entered for a stream, if there may be one more.
func (t *traffic) park(a *answering) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.streams) >= t.most {
		return false
	}
	t.streams[a] = struct{}{}
	t.check()
	return true
}

func (t *traffic) unpark(a *answering) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.streams, a)
}

// close lets nobody in any more. Quiet is closed when only streams are left.
func (t *traffic) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.check()
}

// check takes note when only streams are left. The lock must be held.
func (t *traffic) check() {
	if t.closed && t.under == len(t.streams) {
		t.settled()
	}
}

func (t *traffic) parked() []*answering {
	t.mu.Lock()
	defer t.mu.Unlock()
	parked := make([]*answering, 0, len(t.streams))
	for a := range t.streams {
		parked = append(parked, a)
	}
	return parked
}

// Drain ends what the handler serves, until ctx ends: requests are refused from
// now on, those under way are answered, and then subscriptions and sessions end.
func (h *Handler) Drain(ctx context.Context) {
	h.traffic.close()
	if !wait(ctx, h.traffic.quiet) {
		return
	}
	for _, a := range h.traffic.parked() {
		// One that ends before it has begun would be an error.
		if !wait(ctx, a.begun) {
			return
		}
	}
	h.end()
	closed := make(chan struct{})
	go func() {
		h.closeSessions()
		close(closed)
	}()
	wait(ctx, closed)
}

// closeSessions ends the sessions, and with each the stream of its news. It
// waits for calls that nobody waits for any more.
func (h *Handler) closeSessions() {
	var closing sync.WaitGroup
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			closing.Go(func() { _ = s.Close() }) // there is nobody to be told
		}
	}
	closing.Wait()
}

// wait reports whether done was closed before ctx ended.
func wait(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
