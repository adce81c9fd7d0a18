package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// bounded returns a server that lets in few, and asks for a token.
func bounded(t *testing.T) *Server {
	t.Helper()
	config := newServer(t).config
	config.Tokens = tokens(t, secret)
	l := usual
	l.connections, l.unauthenticated, l.idle = 2, 3, time.Hour
	return newServerOf(config, l)
}

const authorized = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + secret + "\r\n\r\n"

// served sends a request and expects its answer.
func served(t *testing.T, conn net.Conn, request string, want int) *http.Response {
	t.Helper()
	go func() { _, _ = io.WriteString(conn, request) }()
	a, _ := answer(t, bufio.NewReader(conn))
	if a.StatusCode != want {
		t.Errorf("answered %s, want %d", a.Status, want)
	}
	return a
}

// closed reports whether the server has closed a connection on which it owes nothing.
func closed(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := conn.Read(make([]byte, 1))
	return err == io.EOF
}

// TestStrangersHoldNothing: however many say nothing, half a head, or no token, and
// however often, a client with a token is served at once, and unauthenticated ones are gone soon.
func TestStrangersHoldNothing(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"silent":      "",
		"half a head": "GET /mcp HTTP/1.1\r\nHost: loc",
		"no token":    get,
		"half a body": "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := bounded(t)
				r := run(t, s)
				client := r.connect("")
				served(t, client, authorized, http.StatusOK)
				start := time.Now()
				for range 20 {
					r.connect(text)
				}
				served(t, client, authorized, http.StatusOK)
				served(t, r.connect(""), authorized, http.StatusOK)
				served(t, r.connect(""), "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", http.StatusOK)
				if took := time.Since(start); took > 0 {
					t.Errorf("clients waited for %v", took)
				}
				if _, unauthenticated := s.connections.counts(); unauthenticated > s.limits.unauthenticated {
					t.Errorf("%d unauthenticated", unauthenticated)
				}
				time.Sleep(unauthenticatedTime + time.Second)
				if _, unauthenticated := s.connections.counts(); unauthenticated > 0 {
					t.Errorf("%d unauthenticated are left", unauthenticated)
				}
				r.endWell(t)
			})
		})
	}
}

// TestRestedConnectionMakesRoom: a client more takes the place of the connection that
// has rested longest, and where none rests, it is told to come again.
func TestRestedConnectionMakesRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := bounded(t)
		s.config.MCP = slowly(time.Second)
		r := run(t, s)
		first, second, third := r.connect(""), r.connect(""), r.connect("")
		served(t, first, authorized, http.StatusOK)
		served(t, second, authorized, http.StatusOK)
		served(t, third, authorized, http.StatusOK)
		if !closed(first) || closed(second) || closed(third) {
			t.Errorf("closed are %v, %v, %v, want only the first", closed(first), closed(second), closed(third))
		}
		for _, conn := range []net.Conn{second, third} {
			_ = conn.SetReadDeadline(time.Time{})
			go func() { _, _ = io.WriteString(conn, authorized) }()
			synctest.Wait()
		}
		start := time.Now()
		a := served(t, r.connect(""), authorized, http.StatusServiceUnavailable)
		if a.Header.Get("Retry-After") == "" || time.Since(start) > 0 {
			t.Errorf("refused after %v with %v", time.Since(start), a.Header)
		}
		metrics := "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + secret + "\r\n\r\n"
		served(t, r.connect(""), metrics, http.StatusOK)
		for _, conn := range []net.Conn{second, third} {
			answer(t, bufio.NewReader(conn))
		}
		r.endWell(t)
	})
}
