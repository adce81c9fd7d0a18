package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"instruction-catalog/rpc"
)

// traffic knows which requests are under way, so that they can be waited for.
type traffic struct {
	maxRequests, maxStreams int
	calls                   sync.WaitGroup // the requests that are owed an answer

	mu       sync.Mutex
	closed   bool // nothing more is let in
	requests map[*answering]struct{}
	streams  map[*answering]struct{} // that are owed none
}

func newTraffic(maxRequests, maxStreams int) *traffic {
	return &traffic{
		maxRequests: maxRequests, maxStreams: maxStreams,
		requests: map[*answering]struct{}{}, streams: map[*answering]struct{}{},
	}
}

// hasRoom reports whether a user may have one more of these.
func hasRoom(under map[*answering]struct{}, limit int, user string) bool {
	own := 0
	for a := range under {
		if a.user == user {
			own++
		}
	}
	return len(under) < limit && own < share(limit, user)
}

// enter lets a request in, or says why not.
func (t *traffic) enter(a *answering) *refusal {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return errEnding
	case !hasRoom(t.requests, t.maxRequests, a.user):
		return busy(fmt.Sprintf("%d requests are under way: try again later", len(t.requests)))
	}
	t.requests[a] = struct{}{}
	t.calls.Add(1)
	return nil
}

// counts are how many requests and streams are under way.
func (t *traffic) counts() (requests, streams int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.requests), len(t.streams)
}

// leave lets a request out that has entered.
func (t *traffic) leave(a *answering) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, stream := t.streams[a]; stream {
		delete(t.streams, a)
		return
	}
	delete(t.requests, a)
	t.calls.Done()
}

// Gauges returns how many sessions are open, and how many streams and requests.
func (h *Handler) Gauges() []rpc.Gauge {
	requests, streams := h.traffic.counts()
	return []rpc.Gauge{
		{Name: "catalog_mcp_sessions", Value: int64(len(h.sessions()))},
		{Name: "catalog_mcp_streams", Value: int64(streams)},
		{Name: "catalog_mcp_requests", Value: int64(requests)},
	}
}

// stream takes a request for one that is not owed an answer, if there may be one
// more.
func (t *traffic) stream(a *answering) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !hasRoom(t.streams, t.maxStreams, a.user) {
		return false
	}
	delete(t.requests, a)
	t.streams[a] = struct{}{}
	t.calls.Done()
	return true
}

// close refuses all further requests.
func (t *traffic) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

// begun waits until every stream has begun: one that ends before would be
// answered with an error.
func (t *traffic) begun() {
	t.mu.Lock()
	streams := slices.Collect(maps.Keys(t.streams))
	t.mu.Unlock()
	for _, a := range streams {
		<-a.begun
	}
}

// Drain ends what the handler serves, until ctx ends: requests are refused from
// now on, those under way are answered, and then subscriptions and sessions end.
func (h *Handler) Drain(ctx context.Context) {
	h.traffic.close()
	if !within(ctx, h.traffic.calls.Wait) || !within(ctx, h.traffic.begun) {
		return
	}
	h.end()
	within(ctx, h.closeSessions)
}

// closeSessions ends the sessions, and with each the stream of its news. It
// waits for calls whose clients have gone, too.
func (h *Handler) closeSessions() {
	var closing sync.WaitGroup
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			closing.Go(func() { _ = s.Close() }) // nothing follows from the error
		}
	}
	closing.Wait()
}

// within reports whether do returned before ctx ended.
func within(ctx context.Context, do func()) bool {
	done := make(chan struct{})
	go func() {
		do()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// stream serves what stays until the client or the server ends it.
func (h *Handler) stream(a *answering, r *http.Request, next http.Handler) {
	if !h.traffic.stream(a) {
		refuse(a, a.post, busy(fmt.Sprintf("%d streams are open: try again later, or end one", h.limits.streams)))
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stop := a.beat(h.limits.beat, cancel)
	defer stop()
	next.ServeHTTP(a, r.WithContext(ctx))
}

// news serves the stream of notifications of a session. A server without notifications
// refuses it.
func (h *Handler) news(a *answering, r *http.Request) {
	if h.server.follows() {
		h.stream(a, r, h.stateful)
		return
	}
	a.Header().Set("Allow", "POST, DELETE")
	http.Error(a, "nothing happens here that this server could tell of: do without this stream", http.StatusMethodNotAllowed)
}

// beat writes a comment whenever nothing else was written for a while, so that a
// stream whose client is gone does not last, nor one that a proxy takes for dead. Lost is
// called when it cannot be written. It returns what ends it.
func (a *answering) beat(every time.Duration, lost func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if a.comment() != nil {
					lost()
					return
				}
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// comment writes one, unless something else was written since the last.
func (a *answering) comment() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	busy := a.wrote
	a.wrote = false
	if busy || !a.written {
		return nil
	}
	if _, err := a.ResponseWriter.Write([]byte(": still here\n\n")); err != nil {
		return err
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}
