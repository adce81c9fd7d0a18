package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// notified takes note of the notifications that reach the SDK.
type notified struct {
	mu      sync.Mutex
	methods []string
}

func (n *notified) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if strings.HasPrefix(method, "notifications/") {
			n.mu.Lock()
			n.methods = append(n.methods, method)
			n.mu.Unlock()
		}
		return next(ctx, method, req)
	}
}

// TestNotificationsAreNotQueued: what nothing follows from is accepted and
// forgotten, by itself or in a batch.
func TestNotificationsAreNotQueued(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	var got notified
	e.handler.server.sdk.AddReceivingMiddleware(got.watch)
	session := e.open()
	for _, method := range []string{"initialized", "initialized", "roots/list_changed", "progress", "none"} {
		body := `{"jsonrpc":"2.0","method":"notifications/` + method + `","params":{"progressToken":"p"}}`
		for _, body := range []string{body, "[" + body + "," + body + "]"} {
			if status, answer := e.post(body, session); status != http.StatusAccepted || len(answer) > 0 {
				t.Errorf("%s: %d %q", body, status, answer)
			}
		}
	}
	e.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, session)
	// The SDK handles notifications in order, and before the call that follows.
	if _, answer := e.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, session); len(answer) != 1 {
		t.Errorf("ping: %q", answer)
	}
	got.mu.Lock()
	defer got.mu.Unlock()
	if !slices.Equal(got.methods, []string{"notifications/cancelled"}) {
		t.Errorf("the SDK was notified of %q", got.methods)
	}
}

// TestCancelledOverHTTP: in a session, a client cancels a call by its id.
func TestCancelledOverHTTP(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	r := e.request(t.Context(), http.MethodPost,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"test_slow","arguments":{}}}`, session)
	go func() {
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
		}
	}()
	<-e.started
	if status, got := e.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061"}}`, session); status != http.StatusAccepted {
		t.Errorf("cancelled: %d %q", status, got)
	}
	for e.handler.calls.Load() > 0 {
		time.Sleep(time.Millisecond) // nobody releases the call: its context must end
	}
}
