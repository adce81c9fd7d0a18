package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
)

const secret = "0123456789abcdef"

// newServer returns a server that says hello for MCP.
func newServer(t *testing.T) *Server {
	t.Helper()
	says := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	return New(Config{
		MCP: says("hello"), Health: says("well"), Ready: says("ready"), Metrics: says("metrics"),
		Drain: func(context.Context) {},
		Log:   slog.New(slog.DiscardHandler),
		Grace: 5 * time.Second,
	})
}

func tokens(t *testing.T, text string) Tokens {
	t.Helper()
	tokens, err := ParseTokens(text)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// ask answers one request. A header has the form "Name: value".
func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = "localhost:7777"
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestGate holds who may ask, by name, origin and token.
func TestGate(t *testing.T) {
	t.Parallel()
	const here, everywhere = true, false
	tests := []struct {
		loopback bool
		token    bool
		header   string // more than one are separated by |
		want     int
	}{
		{here, false, "Host: localhost:7777", 200},
		{here, false, "Host: LOCALHOST", 200},
		{here, false, "Host: 127.0.0.1:7777", 200},
		{here, false, "Host: 127.1.2.3", 200},
		{here, false, "Host: [::1]:7777", 200},
		{here, false, "Host: [::1]", 200},
		{here, false, "Host: [::ffff:127.0.0.1]", 200},
		{here, false, "Host: example.com", 403},
		{here, false, "Host: example.com:7777", 403},
		{here, false, "Host: localhost.example.com", 403},
		{here, false, "Host: 127.0.0.1.example.com", 403},
		{here, false, "Host: 10.0.0.1", 403},
		{here, false, "Host: 0.0.0.0", 403},
		{here, false, "Host: ", 403},
		{here, false, "Host: [::1", 403},
		{here, false, "Origin: http://localhost:7777", 200},
		{here, false, "Origin: http://localhost:3000", 200},
		{here, false, "Origin: https://127.0.0.1", 200},
		{here, false, "Origin: http://[::1]:5173", 200},
		{here, false, "Origin: http://example.com", 403},
		{here, false, "Origin: http://example.com|Host: example.com", 403},
		{here, false, "Origin: http://localhost.example.com", 403},
		{here, false, "Origin: http://localhost@example.com", 403},
		{here, false, "Origin: null", 403},
		{here, false, "Origin: ", 403},
		{here, false, "Origin: file://", 403},
		{here, false, "Origin: ftp://localhost", 403},
		{here, false, "Origin: http://localhost|Origin: http://example.com", 403},
		{here, true, "Host: example.com|Authorization: Bearer " + secret, 403},
		{everywhere, true, "Authorization: Bearer " + secret, 200},
		{everywhere, true, "Authorization: bearer  " + secret, 200},
		{everywhere, true, "Host: example.com|Authorization: Bearer " + secret, 200},
		{everywhere, true, "Host: example.com|Origin: https://example.com|Authorization: Bearer " + secret, 200},
		{everywhere, true, "Host: example.com|Origin: https://example.org|Authorization: Bearer " + secret, 403},
		{everywhere, true, "Host: example.com|Origin: http://localhost|Authorization: Bearer " + secret, 403},
		{everywhere, true, "Host: example.com", 401},
		{everywhere, true, "Authorization: Bearer", 401},
		{everywhere, true, "Authorization: Bearer ", 401},
		{everywhere, true, "Authorization: " + secret, 401},
		{everywhere, true, "Authorization: Basic " + secret, 401},
		{everywhere, true, "Authorization: Bearer " + secret + "x", 401},
		{everywhere, true, "Authorization: Bearer " + secret[1:], 401},
	}
	for _, tt := range tests {
		s := newServer(t)
		if tt.token {
			s.config.Tokens = tokens(t, secret)
		}
		h := s.handler(tt.loopback)
		header := strings.Split(tt.header, "|")
		for _, path := range []string{MCPPath, metricsPath} {
			w := ask(h, "GET", path, header...)
			if w.Code != tt.want {
				t.Errorf("loopback %v, token %v, %s %q: %d, want %d", tt.loopback, tt.token, path, tt.header, w.Code, tt.want)
			}
			if challenge := w.Header().Get("WWW-Authenticate"); (w.Code == http.StatusUnauthorized) != strings.HasPrefix(challenge, "Bearer") {
				t.Errorf("%q: %d with the challenge %q", tt.header, w.Code, challenge)
			}
		}
		if w := ask(h, "GET", healthPath, header...); (w.Code == http.StatusForbidden) != (tt.want == http.StatusForbidden) {
			t.Errorf("loopback %v, %s %q: %d", tt.loopback, healthPath, tt.header, w.Code)
		}
	}
}

func TestParseTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		secret:                "",
		secret[1:]:            "has 15 characters and must have at least 16",
		"":                    "at least 16",
		secret + "\n" + "two": "one line of ASCII",
		secret + " two":       "one line of ASCII",
		secret + "é":          "one line of ASCII",

		"ann:" + secret: "",
		"ann:" + secret + "\n\nbob:" + secret + "2\r\n": "",
		"ann:" + secret + ":":                           "",
		"ann:" + secret + "\nbob" + secret:              "line 2 has no name",
		"ann:" + secret[1:]:                             "line 1: the token has 15 characters",
		":" + secret:                                    "line 1: the name",
		"a\x00b:" + secret:                              "line 1: the name",
		strings.Repeat("x", 256) + ":" + secret:         "line 1: the name",
		"ann:" + secret + "\nbob:" + secret:             "line 2: another line has the same token",
	} {
		_, err := ParseTokens(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && text != "" && (strings.Contains(err.Error(), text) || strings.Contains(err.Error(), secret)) {
			t.Errorf("the error tells the token: %v", err)
		}
	}
}

// TestCaller: the token says who asks.
func TestCaller(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.config.Tokens = tokens(t, "ann:"+secret+"1\nbob:"+secret+"2")
	s.config.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, rpc.CallerOf(r.Context()).User)
	})
	h := s.handler(true)
	for token, want := range map[string]string{secret + "1": "ann", secret + "2": "bob"} {
		if w := ask(h, "POST", MCPPath, "Authorization: Bearer "+token); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%d %q, want %q", w.Code, w.Body, want)
		}
	}
	if w := ask(h, "POST", MCPPath, "Authorization: Bearer "+secret); w.Code != http.StatusUnauthorized {
		t.Errorf("an unknown token: %d", w.Code)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	h := newServer(t).handler(true)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", healthPath, 200}, {"HEAD", healthPath, 200}, {"POST", healthPath, 405},
		{"GET", metricsPath, 200}, {"POST", metricsPath, 405},
		{"POST", MCPPath, 200}, {"DELETE", MCPPath, 200},
		{"GET", "/", 404}, {"GET", "/mcp/", 404}, {"GET", "/debug/pprof/", 404},
	} {
		if w := ask(h, tt.method, tt.path); w.Code != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, w.Code, tt.want)
		}
	}
}

// TestEnding: while the server ends, its health says so, to everybody.
func TestEnding(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.config.Tokens = tokens(t, secret)
	for path, want := range map[string]string{healthPath: "well", readyPath: "ready"} {
		s.draining.Store(false)
		if w := ask(s.handler(true), "GET", path); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		s.draining.Store(true)
		if w := ask(s.handler(true), "GET", path); w.Code != http.StatusServiceUnavailable || w.Body.String() != `{"status":"ending"}` {
			t.Errorf("%s while ending: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestPanic: the client is told nothing, the log everything.
func TestPanic(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	s := newServer(t)
	s.config.Log = slog.New(slog.NewTextHandler(&logged, nil))
	s.config.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") })
	server := httptest.NewServer(s.handler(true))
	defer server.Close()
	for range 2 {
		if answer, err := http.Get(server.URL + MCPPath); err == nil {
			answer.Body.Close()
			t.Errorf("answered with %s", answer.Status)
		}
	}
	server.Close()
	if strings.Count(logged.String(), "panic=secret") != 2 {
		t.Errorf("the log:\n%s", &logged)
	}
}
