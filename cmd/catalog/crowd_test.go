package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc/rpctest"
)

// healthWithin is set on machines of known speed. Without it, no check depends on the
// speed.
var healthWithin = flag.Duration("health-within", 0, "how long 99 of 100 answers of /healthz may take while 200 clients call")

// TestCrowd has 200 clients, each with its own connections, make three calls in each
// protocol version. All stay connected until each has been answered. Meanwhile /healthz
// must be answered, too.
func TestCrowd(t *testing.T) {
	rpctest.Long(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s := build(t).listen(t)
			s.get("/readyz")
			stop := make(chan struct{})
			health := make(chan []time.Duration)
			go func() { health <- s.healthUntil(stop) }()
			crowd(t, s.url+"/mcp", version, 200)
			close(stop)
			took := <-health
			slices.Sort(took)
			if len(took) == 0 {
				t.Fatal("/healthz was not asked")
			}
			p99 := took[(len(took)-1)*99/100]
			t.Logf("/healthz: %d answers, p50 %v, p99 %v, at most %v", len(took), took[len(took)/2], p99, took[len(took)-1])
			if *healthWithin > 0 && p99 > *healthWithin {
				t.Errorf("/healthz: p99 %v, want at most %v", p99, *healthWithin)
			}
		})
	}
}

// crowd has clients connect and call, and then disconnect together.
func crowd(t *testing.T, url, version string, clients int) {
	t.Helper()
	var calling, leaving sync.WaitGroup
	calling.Add(clients)
	for range clients {
		leaving.Go(func() {
			session, err := callThrice(t.Context(), url, version)
			if err != nil {
				t.Error(err)
			}
			calling.Done()
			calling.Wait()
			if session != nil {
				_ = session.Close() // an error does not matter any more
			}
		})
	}
	leaving.Wait()
}

// callThrice makes the calls of one client.
func callThrice(ctx context.Context, url, version string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "crowd", Version: "1"}, nil)
	own := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: &http.Transport{}}, MaxRetries: -1}
	session, err := client.Connect(ctx, own, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	for range 3 {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "instructions_search", Arguments: map[string]any{"q": "error"}})
		if err != nil || result.IsError {
			return session, fmt.Errorf("call: %v (%w)", result, err)
		}
	}
	return session, nil
}

// healthUntil requests /healthz repeatedly, each time over a new connection, and
// returns the duration of each answer.
func (s *httpServer) healthUntil(stop chan struct{}) (took []time.Duration) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		select {
		case <-stop:
			return took
		case <-time.After(5 * time.Millisecond):
		}
		start := time.Now()
		answer, err := client.Get(s.url + "/healthz")
		if err != nil || answer.StatusCode != http.StatusOK {
			s.t.Errorf("/healthz: %v (%v)", answer, err)
			return took
		}
		drain(answer)
		took = append(took, time.Since(start))
	}
}

// TestStrangersLockOutNobody opens more connections than unauthenticated clients may
// have, which send nothing or requests without a token and without the body.
// Authenticated clients must still be served.
func TestStrangersLockOutNobody(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdef"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	s := build(t).listen(t, "--token-file", file)
	for _, text := range []string{"", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"} {
		for range 1100 {
			conn, err := net.Dial("tcp", s.host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(text)) // the server may have closed the connection
		}
	}
	// A client that waits until these connections are closed waits for minutes.
	s.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	for range 20 {
		if status, _ := s.get("/metrics", "Authorization: Bearer "+secret); status != http.StatusOK {
			t.Errorf("/metrics: %d", status)
		}
	}
	_, page := s.get("/metrics", "Authorization: Bearer "+secret)
	for _, line := range []string{`catalog_http_refused_total{status="401"} `, `catalog_http_connections{of="unauthenticated"} `, "catalog_mcp_sessions 0\n", "catalog_entries "} {
		if !strings.Contains(page, line) {
			t.Errorf("no %s among the metrics", line)
		}
	}
}

// TestReady checks that readiness of the catalog is logged at the start and reported by
// /readyz.
func TestReady(t *testing.T) {
	t.Parallel()
	p := build(t)
	if status, text := p.listen(t).get("/readyz"); status != http.StatusOK || text != `{"status":"ready"}` {
		t.Errorf("/readyz: %d %s", status, text)
	}
	dir := filepath.Join(t.TempDir(), "later")
	s := p.listen(t, "--dir", dir, "--no-watch")
	if line, err := s.stderr.ReadString('\n'); err != nil || !strings.Contains(line, "level=WARN") || !strings.Contains(line, "--dir") {
		t.Errorf("at the start: %q (%v)", line, err)
	}
	if status, text := s.get("/readyz"); status != http.StatusServiceUnavailable || text != `{"status":"failed"}` {
		t.Errorf("/readyz without a catalog: %d %s", status, text)
	}
	if _, page := s.get("/metrics"); !strings.Contains(page, "catalog_state{state=\"failed\"} 1\n") {
		t.Errorf("the metrics do not tell:\n%s", page)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/catalog")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond) // readiness is checked once a second
	if status, text := s.get("/readyz"); status != http.StatusOK {
		t.Errorf("/readyz with one: %d %s", status, text)
	}
}
