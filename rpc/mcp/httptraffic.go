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

// traffic limits and tracks the requests under way, so that the server can wait for them.
type traffic struct {
	maxRequests, maxStreams int
	calls                   sync.WaitGroup // the requests that must be answered, not counting streams

	mu       sync.Mutex
	closed   bool // further requests are refused
	requests map[*answering]struct{}
	streams  map[*answering]struct{} // open notification streams
}

func newTraffic(maxRequests, maxStreams int) *traffic {
	return &traffic{
		maxRequests: maxRequests, maxStreams: maxStreams,
		requests: map[*answering]struct{}{}, streams: map[*answering]struct{}{},
	}
}

// hasRoom reports whether a user may have one more request or stream besides those in under.
func hasRoom(under map[*answering]struct{}, limit int, user string) bool {
	own := 0
	for a := range under {
		if a.user == user {
			own++
		}
	}
	return len(under) < limit && own < share(limit, user)
}

// enter admits a request, or returns why it is refused.
func (t *traffic) enter(a *answering) *refusal {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return errEnding
	case !hasRoom(t.requests, t.maxRequests, a.user):
		return busy(fmt.Sprintf("%d requests are in progress: try again later", len(t.requests)))
	}
	t.requests[a] = struct{}{}
	t.calls.Add(1)
	return nil
}

// counts returns the numbers of requests and streams under way.
func (t *traffic) counts() (requests, streams int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.requests), len(t.streams)
}

// leave ends a request that enter has admitted.
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

// Gauges returns the numbers of sessions, streams and requests.
func (h *Handler) Gauges() []rpc.Gauge {
	requests, streams := h.traffic.counts()
	return []rpc.Gauge{
		{Name: "catalog_mcp_sessions", Value: int64(len(h.sessions()))},
		{Name: "catalog_mcp_streams", Value: int64(streams)},
		{Name: "catalog_mcp_requests", Value: int64(requests)},
	}
}

// stream moves a request to the streams. It returns false if the limit for streams is
// reached.
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

// begun waits until every stream has begun. A stream that is ended earlier would be answered
// with an error.
func (t *traffic) begun() {
	t.mu.Lock()
	streams := slices.Collect(maps.Keys(t.streams))
	t.mu.Unlock()
	for _, a := range streams {
		<-a.begun
	}
}

// Drain shuts the handler down. It refuses further requests, waits for those under way, and
// then ends subscriptions and sessions. It returns early if ctx is done.
func (h *Handler) Drain(ctx context.Context) {
	h.traffic.close()
	if !within(ctx, h.traffic.calls.Wait) || !within(ctx, h.traffic.begun) {
		return
	}
	h.end()
	within(ctx, h.closeSessions)
}

// closeSessions closes all sessions and so ends their notification streams. It also waits
// for calls whose clients have disconnected.
func (h *Handler) closeSessions() {
	var closing sync.WaitGroup
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			closing.Go(func() { _ = s.Close() }) // the error does not matter
		}
	}
	closing.Wait()
}

// within calls do and reports whether it returned before ctx was done.
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

// stream serves a request that lasts until the client or the server ends it. If the limit
// for streams is reached, it answers with status 503.
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

// news serves the notification stream of a session. If no toolset can change, there are no
// notifications and it answers with status 405.
func (h *Handler) news(a *answering, r *http.Request) {
	if h.server.follows(anyToolset) {
		h.stream(a, r, h.stateful)
		return
	}
	a.Header().Set("Allow", "POST, DELETE")
	http.Error(a, "this server sends no notifications here: do not open this stream", http.StatusMethodNotAllowed)
}

// beat writes a comment whenever nothing was written during an interval, so that the server
// notices when the client of a stream has disconnected, and proxies do not close an idle
// stream. It calls lost if writing fails. Call stop to end it.
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

// comment writes a comment, unless something was written since the last call or the answer
// has not begun.
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
