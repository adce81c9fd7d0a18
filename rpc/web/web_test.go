package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

const secret = "0123456789abcdef"

type nothing struct{}

type status struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// newRegistry has the health method, and one that fails.
func newRegistry(t *testing.T) *rpc.Registry {
	t.Helper()
	document := func(title, result string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"$schema": "http://json-schema.org/draft-07/schema#",
			"$id": "catalog:///v1/` + strings.ReplaceAll(title, "/", ".") + `.json", "title": "` + title + `", "description": "d", "type": "object",
			"required": ["params", "result"], "properties": {
				"params": {"type": "object", "description": "p", "additionalProperties": false, "properties": {}},
				"result": {"type": "object", "description": "r", "additionalProperties": false, "properties": {` + result + `}}}}`)}
	}
	contract, err := schemas.Load(fstest.MapFS{
		"health.check.json": document("health/check", `"status": {"type": "string", "description": "s"}, "version": {"type": "string", "description": "v"}`),
		"test.fail.json":    document("test/fail", ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	registry := rpc.NewRegistry(rpc.Info{}, slog.New(slog.DiscardHandler), time.Now)
	method := func(name string) rpc.Method {
		return rpc.Method{Name: name, Title: "T", Summary: "S", Doc: "d", Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads}
	}
	err = registry.Add(rpc.Toolset{Name: "test", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: []rpc.Method{
		rpc.Declare(method("health/check"), func(ctx context.Context, _ nothing) (status, error) { return status{"ok", "1.2.3"}, ctx.Err() }, nil),
		rpc.Declare(method("test/fail"), func(context.Context, nothing) (nothing, error) { return nothing{}, io.ErrClosedPipe }, nil),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// newServer returns a server that says hello for MCP.
func newServer(t *testing.T) *Server {
	t.Helper()
	return New(Config{
		Registry: newRegistry(t),
		MCP:      http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }),
		Drain:    func(context.Context) {},
		Log:      slog.New(slog.DiscardHandler),
		Grace:    5 * time.Second,
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
		"ann:" + secret + "\nbob:" + secret:             "line 2: the token is that of another line",
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

// TestHealth: whom a server with a token does not know learns the status only.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if w := ask(s.handler(true), "GET", healthPath); w.Body.String() != `{"status":"ok","version":"1.2.3"}` || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s %s", w.Header(), w.Body)
	}
	s.config.Tokens = tokens(t, secret)
	if w := ask(s.handler(true), "GET", healthPath); w.Body.String() != `{"status":"ok"}` {
		t.Errorf("with a token: %s", w.Body)
	}
	s.draining.Store(true)
	if w := ask(s.handler(true), "GET", healthPath); w.Code != http.StatusServiceUnavailable || !json.Valid(w.Body.Bytes()) {
		t.Errorf("while draining: %d %s", w.Code, w.Body)
	}
	s = newServer(t)
	s.config.Registry = rpc.NewRegistry(rpc.Info{}, s.config.Log, time.Now)
	if w := ask(s.handler(true), "GET", healthPath); w.Code != http.StatusOK || w.Body.String() != `{"status":"ok"}` {
		t.Errorf("without a health method: %d %s", w.Code, w.Body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	newServer(t).health(w, httptest.NewRequestWithContext(ctx, "GET", healthPath, nil))
	if w.Code != http.StatusInternalServerError || w.Body.String() != `{"status":"failed"}` {
		t.Errorf("where the method fails: %d %s", w.Code, w.Body)
	}
}

// TestMetrics: every method has its series, and every line is one of the format.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	h := s.handler(true)
	ask(h, "GET", healthPath)
	s.config.Registry.Call(t.Context(), "test/fail", nil)
	s.config.Registry.Call(t.Context(), "test/fail", nil)
	w := ask(h, "GET", metricsPath)
	page := w.Body.String()
	for _, line := range []string{
		`catalog_method_calls_total{method="health/check"} 1`,
		`catalog_method_calls_total{method="test/fail"} 2`,
		`catalog_method_errors_total{method="health/check"} 0`,
		`catalog_method_errors_total{method="test/fail"} 2`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if !strings.Contains(page, `catalog_method_seconds_total{method="test/fail"} `) || !strings.Contains(page, "\ngo_goroutines ") {
		t.Errorf("durations or the process are missing:\n%s", page)
	}
	sample := regexp.MustCompile(`^[a-z_][a-zA-Z0-9_]*(\{([a-zA-Z_]+="[^"\\]*"(, ?)?)+\})? [-+0-9.eInfNa]+$`)
	kind := regexp.MustCompile(`^# TYPE ([a-z_]+) (counter|gauge|summary|histogram)$`)
	kinds := map[string]bool{}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if told := kind.FindStringSubmatch(line); told != nil {
			if kinds[told[1]] {
				t.Errorf("the kind of %s is told twice", told[1])
			}
			kinds[told[1]] = true
		} else if !sample.MatchString(line) && !strings.HasPrefix(line, "# HELP ") {
			t.Errorf("no line of the format: %q", line)
		}
	}
	if !kinds["catalog_method_calls_total"] || !kinds["go_goroutines"] {
		t.Errorf("kinds are missing: %v", kinds)
	}
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("Content-Type: %s", w.Header().Get("Content-Type"))
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
