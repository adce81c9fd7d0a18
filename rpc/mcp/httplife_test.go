package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestIdleSessionsEnd checks that an idle session is closed.
func TestIdleSessionsEnd(t *testing.T) {
	t.Parallel()
	l := small
	l.idle = time.Millisecond
	e := newEndpoint(t, l)
	e.open()
	for len(e.handler.sessions()) > 0 {
		time.Sleep(time.Millisecond)
	}
}

// stream is an answer whose messages are read one at a time.
type stream struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
}

// stream sends a request and returns when the answer has begun.
func (e *endpoint) stream(t *testing.T, r *http.Request) *stream {
	t.Helper()
	answer := e.send(r)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("no stream: %d %q", answer.StatusCode, messages(t, answer))
	}
	return &stream{t, answer, bufio.NewScanner(answer.Body)}
}

// next returns the next message, or "" at the end of the stream.
func (s *stream) next() string {
	s.t.Helper()
	for s.lines.Scan() {
		if data, ok := strings.CutPrefix(s.lines.Text(), "data: "); ok {
			return data
		}
	}
	if err := s.lines.Err(); err != nil {
		s.t.Errorf("the stream broke: %v", err)
	}
	return ""
}

// listen opens a subscription of the version without sessions.
func (e *endpoint) listen(t *testing.T) *stream {
	t.Helper()
	body, header := sessionless("7", listen, `,"notifications":{"resourceSubscriptions":["toy://1"]}`)
	s := e.stream(t, e.request(t.Context(), http.MethodPost, body, header...))
	if got := s.next(); !strings.Contains(got, "notifications/subscriptions/acknowledged") {
		t.Fatalf("the subscription began with %q", got)
	}
	return s
}

// TestStreamsAreBounded checks that a stream over the limit is refused, and is admitted after
// the client has closed another one.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	e.listen(t)
	news := e.stream(t, e.request(t.Context(), http.MethodGet, "", session))
	body, header := sessionless("8", listen, `,"notifications":{"resourceSubscriptions":["toy://1"]}`)
	if status, got := e.post(body, header...); status != http.StatusServiceUnavailable || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":8,"error":`) {
		t.Errorf("a third stream: %d %q", status, got)
	}
	news.answer.Body.Close()
	for streams := small.streams; streams == small.streams; time.Sleep(time.Millisecond) { // until the server has noticed
		e.handler.traffic.mu.Lock()
		streams = len(e.handler.traffic.streams)
		e.handler.traffic.mu.Unlock()
	}
	e.listen(t)
}

// TestDrain checks that Drain lets a running call be answered, ends a subscription with its
// result, ends the notification stream of a session, and refuses new requests.
func TestDrain(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	subscription := e.listen(t)
	news := e.stream(t, e.request(t.Context(), http.MethodGet, "", session))
	call := make(chan []string, 1)
	go func() {
		_, got := e.post(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"t"}}}`, session)
		call <- got
	}()
	<-e.started
	drained := make(chan struct{})
	go func() {
		e.handler.Drain(t.Context())
		close(drained)
	}()
	for a := newAnswering(nil, ""); e.handler.traffic.enter(a) == nil; e.handler.traffic.leave(a) {
		time.Sleep(time.Millisecond) // until draining has begun
	}
	if status, got := e.post(opening); status != http.StatusServiceUnavailable || len(got) != 1 {
		t.Errorf("a request while draining: %d %q", status, got)
	}
	select {
	case <-drained:
		t.Error("drained before the call was answered")
	default:
	}
	close(e.release)
	if got := <-call; len(got) != 1 || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":9,"result":`) {
		t.Errorf("the call under way was answered with %q", got)
	}
	if got := subscription.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,"result":`) || subscription.next() != "" {
		t.Errorf("the subscription ended with %q", got)
	}
	if got := news.next(); got != "" {
		t.Errorf("the news ended with %q", got)
	}
	<-drained
	if n := len(e.handler.sessions()); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

// TestDrainHasAnEnd checks that Drain returns when its context is done, even if calls are still
// running.
func TestDrainHasAnEnd(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	call := make(chan []string, 1)
	go func() {
		_, got := e.post(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"t"}}}`, session)
		call <- got
	}()
	<-e.started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e.handler.Drain(ctx)
	if calls, sessions := e.handler.calls.Load(), len(e.handler.sessions()); calls != 1 || sessions != 1 {
		t.Errorf("%d calls and %d sessions are left, want one of each", calls, sessions)
	}
	if status, got := e.post(opening); status != http.StatusServiceUnavailable {
		t.Errorf("a request after that: %d %q", status, got)
	}
	close(e.release)
	if got := <-call; len(got) != 1 || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":9,"result":`) {
		t.Errorf("the call was answered with %q", got)
	}
}

// TestLeavingCancels checks that without sessions a call is cancelled when its client
// disconnects.
func TestLeavingCancels(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	ctx, leave := context.WithCancel(t.Context())
	body, header := sessionless("1", "tools/call", `,"name":"test_slow","arguments":{"text":"t"}`)
	r := e.request(ctx, http.MethodPost, body, append(header, "Mcp-Name: test_slow")...)
	go func() {
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
		}
	}()
	<-e.started
	leave()
	for e.handler.calls.Load() > 0 {
		time.Sleep(time.Millisecond) // nobody releases the call: its context must end
	}
}

// TestLeavingASession checks that calls of a session continue when the client disconnects, and
// that their number is limited.
func TestLeavingASession(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	for id := range small.calls {
		ctx, leave := context.WithCancel(t.Context())
		r := e.request(ctx, http.MethodPost,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_slow","arguments":{}}}`, id), session)
		left := make(chan struct{})
		go func() {
			defer close(left)
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		}()
		<-e.started
		leave()
		<-left
	}
	echo := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_echo","arguments":{"text":"t"}}}`
	if _, got := e.post(echo, session); len(got) != 1 || !strings.Contains(got[0], "calls are in progress: try again later") {
		t.Errorf("a call too many: %q", got)
	}
	close(e.release)
	for e.handler.calls.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if _, got := e.post(echo, session); len(got) != 1 || !strings.Contains(got[0], `"result"`) {
		t.Errorf("a call that has room: %q", got)
	}
}

// TestNoPost checks the answers to HTTP methods other than POST.
func TestNoPost(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	session := e.open()
	const stateless = versionHeader + ": 2026-07-28"
	for _, tt := range []struct {
		method string
		header []string
		want   int
	}{
		{"GET", nil, 400},
		{"GET", []string{sessionHeader + ": none"}, 404},
		{"GET", []string{session, "Accept: application/json"}, 400},
		{"GET", []string{session, "Last-Event-ID: 1_1"}, 400},
		{"GET", []string{session, stateless}, 405},
		{"DELETE", nil, 400},
		{"DELETE", []string{sessionHeader + ": none"}, 404},
		{"DELETE", []string{session, stateless}, 405},
		{"PUT", []string{session}, 405},
		{"OPTIONS", nil, 405},
		{"DELETE", []string{session}, 204},
	} {
		if got := e.send(e.request(t.Context(), tt.method, "", tt.header...)).StatusCode; got != tt.want {
			t.Errorf("%s %q: %d, want %d", tt.method, tt.header, got, tt.want)
		}
	}
}

// broken is a body whose Read fails before its end.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestBrokenBody checks that an incomplete body is refused and not taken for a shorter one.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, small)
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", broken{}))
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "the body did not arrive") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
