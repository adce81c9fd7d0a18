package mcp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"instruction-catalog/rpc"
)

// TestSessionsAreBounded checks that at the limit, a new session closes the one that has been
// idle longest, and is refused if all are in use.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	first, second := e.open(), e.open()
	if status, _ := e.post(ping, first); status != http.StatusOK {
		t.Fatalf("a request: %d", status)
	}
	third := e.open()
	for session, want := range map[string]int{first: 200, second: 404, third: 200} {
		if status, got := e.post(ping, session); status != want {
			t.Errorf("%d %q, want %d", status, got, want)
		}
	}
	for _, session := range []string{first, third} {
		e.stream(t, e.request(t.Context(), http.MethodGet, "", session))
	}
	answer := e.send(e.request(t.Context(), http.MethodPost, opening))
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a session while each is in use: %d", answer.StatusCode)
	}
	if answer := e.send(e.request(t.Context(), http.MethodDelete, "", first)); answer.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE: %d", answer.StatusCode)
	}
	e.open()
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestUsersShareSessions checks that a new session of a named user who has half of all
// sessions closes one of that user's sessions.
func TestUsersShareSessions(t *testing.T) {
	t.Parallel()
	l := small
	l.sessions = 4
	e := newEndpoint(t, l)
	as := func(user string) { e.user.Store(&user) }
	as("ann")
	ann := []string{e.open(), e.open(), e.open()}
	as("bob")
	bob := []string{e.open(), e.open()}
	as("ann")
	for i, want := range []int{404, 200, 200} {
		if status, _ := e.post(ping, ann[i]); status != want {
			t.Errorf("session %d of ann: %d, want %d", i, status, want)
		}
	}
	as("bob")
	for i, session := range bob {
		if status, _ := e.post(ping, session); status != http.StatusOK {
			t.Errorf("session %d of bob: %d", i, status)
		}
	}
}

// TestSessionsAreBoundedAtOnce opens many sessions concurrently. It checks that their number
// never exceeds the limit, and that the limit can be reached.
func TestSessionsAreBoundedAtOnce(t *testing.T) {
	t.Parallel()
	const clients = 40
	e := newEndpoint(t, small)
	var opened, refused atomic.Int64
	var under sync.WaitGroup
	for range clients {
		under.Go(func() {
			answer, err := http.DefaultClient.Do(e.request(t.Context(), http.MethodPost, opening))
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			switch answer.StatusCode {
			case http.StatusOK:
				opened.Add(1)
			case http.StatusServiceUnavailable:
				refused.Add(1)
			}
		})
	}
	under.Wait()
	// The first to come has always room, however many come with it.
	open := len(e.handler.sessions())
	if n := opened.Load(); n < 1 || n+refused.Load() != clients || open < 1 || open > small.sessions {
		t.Errorf("%d sessions were opened, %d refused, and %d are open of at most %d", n, refused.Load(), open, small.sessions)
	}
	for e.handler.opening.Load() > 0 {
		time.Sleep(time.Millisecond) // the answer is there before the request has ended
	}
	for range 2 * small.sessions {
		e.open()
	}
}

// TestRefusedSessionClosesNone checks that a refused session does not close an open one, if
// the sessions being opened use the whole limit.
func TestRefusedSessionClosesNone(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	for range small.sessions {
		e.open()
	}
	e.handler.opening.Add(int64(small.sessions))
	defer e.handler.opening.Add(-int64(small.sessions))
	if status, _ := e.post(opening); status != http.StatusServiceUnavailable {
		t.Errorf("one more is answered with %d", status)
	}
	if open := len(e.handler.sessions()); open != small.sessions {
		t.Errorf("%d sessions are open, and were %d", open, small.sessions)
	}
}

// long is a request that is too large to be read without waiting.
var long = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"` + strings.Repeat("x", 6*small.small) + `"}}}`

// TestLargeRequestsAreBounded checks that while a request uses nearly all memory, another large
// request is refused and a small one is not.
func TestLargeRequestsAreBounded(t *testing.T) {
	t.Parallel()
	l := small
	l.body = 64 << 10
	e := newEndpoint(t, l)
	e.registry.Bound(rpc.NewMemory(1)) // which is large enough for anything, one at a time
	session := e.open()
	e.awaitRequests()
	slow := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"` + strings.Repeat("x", 20<<10) + `"}}}`
	call := make(chan []string, 1)
	go func() {
		_, got := e.post(slow, session)
		call <- got
	}()
	<-e.started
	if status, got := e.post(long, session); status != http.StatusServiceUnavailable || !strings.Contains(got[0], "--memory") {
		t.Errorf("a second large request: %d %q", status, got)
	}
	if status, got := e.post(ping, session); status != http.StatusOK {
		t.Errorf("a small request: %d %q", status, got)
	}
	close(e.release)
	if got := <-call; len(got) != 1 || !strings.Contains(got[0], `"result"`) {
		t.Errorf("the first large request: %.100q", got)
	}
	e.awaitRequests()
	if status, got := e.post(long, session); status != http.StatusOK {
		t.Errorf("a large request later: %d %q", status, got)
	}
}

// awaitRequests waits until no request is under way. A client has the answer before the
// request has ended and has released its memory.
func (e *endpoint) awaitRequests() {
	for e.handler.underWay() > 0 {
		time.Sleep(time.Millisecond)
	}
}

// TestArrivingBodiesAreBounded checks that large bodies that do not arrive block other large
// bodies, but not small ones.
func TestArrivingBodiesAreBounded(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	e.stall(session, 4)
	for e.handler.arriving.all.TryAcquire(1) {
		e.handler.arriving.all.Release(1)
		time.Sleep(time.Millisecond) // until all have begun to arrive
	}
	if status, got := e.post(long, session); status != http.StatusServiceUnavailable || !strings.Contains(got[0], "--memory") {
		t.Errorf("one more large request: %d %q", status, got)
	}
	if status, got := e.post(ping, session); status != http.StatusOK {
		t.Errorf("a small request: %d %q", status, got)
	}
}

// TestUsersShareArrivingBodies checks that large bodies of a user that do not arrive block only
// other large bodies of that user.
func TestUsersShareArrivingBodies(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	as := func(user string) { e.user.Store(&user) }
	as("bob")
	bob := e.open()
	as("ann")
	ann := e.open()
	e.stall(ann, 4)
	for e.handler.arriving.all.TryAcquire(2*small.body + 1) {
		e.handler.arriving.all.Release(2*small.body + 1)
		time.Sleep(time.Millisecond) // until two have begun to arrive
	}
	if status, got := e.post(long, ann); status != http.StatusServiceUnavailable {
		t.Errorf("one more large request: %d %q", status, got)
	}
	as("bob")
	if status, got := e.post(long, bob); status != http.StatusOK {
		t.Errorf("a large request of another user: %d %q", status, got)
	}
}

// stall sends the beginnings of large requests.
func (e *endpoint) stall(session string, requests int) {
	e.t.Helper()
	for range requests {
		body, unsent := io.Pipe()
		e.t.Cleanup(func() { unsent.Close() })
		r := e.request(e.t.Context(), http.MethodPost, "", session)
		r.Body, r.ContentLength = body, small.body
		go func() {
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		}()
		if _, err := unsent.Write([]byte(long[:small.small])); err != nil {
			e.t.Fatal(err)
		}
	}
}

// TestRequestsAreBounded checks that a request over the limit is refused before it is read.
func TestRequestsAreBounded(t *testing.T) {
	t.Parallel()
	l := small
	l.requests, l.calls = 1, 10
	e := newEndpoint(t, l)
	session := e.open()
	for e.handler.underWay() > 0 {
		time.Sleep(time.Millisecond) // the answer is there before the request has ended
	}
	call := make(chan []string, 1)
	go func() {
		_, got := e.post(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"t"}}}`, session)
		call <- got
	}()
	<-e.started
	answer := e.send(e.request(t.Context(), http.MethodPost, ping, session))
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a request too many: %s", answer.Status)
	}
	close(e.release)
	if got := <-call; len(got) != 1 || !strings.Contains(got[0], `"result"`) {
		t.Errorf("the request under way: %q", got)
	}
}

// TestHeartbeat checks that comments are written to an idle stream.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	l := small
	l.beat = time.Millisecond
	e := newEndpoint(t, l)
	for name, s := range map[string]*stream{
		"subscription": e.listen(t),
		"session":      e.stream(t, e.request(t.Context(), http.MethodGet, "", e.open())),
	} {
		for range 2 {
			for s.lines.Scan() && !strings.HasPrefix(s.lines.Text(), ":") {
			}
			if err := s.lines.Err(); err != nil || s.lines.Text() == "" {
				t.Errorf("%s: no comment (%v)", name, err)
			}
		}
	}
}

// TestNoNews checks that a server without notifications refuses notification streams.
func TestNoNews(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.registry.Toolsets()[0].OnChange = nil
	server := httptest.NewServer(newHandler(y.protocol(), small))
	t.Cleanup(server.Close)
	e := &endpoint{t: t, toy: y, url: server.URL}
	answer := e.send(e.request(t.Context(), http.MethodGet, "", e.open()))
	if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != "POST, DELETE" {
		t.Errorf("%s, Allow %q", answer.Status, answer.Header.Get("Allow"))
	}
}
