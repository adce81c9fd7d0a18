package mcp

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

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

// news serves the stream of what happens in a session. Where nothing ever does, there
// is none.
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
