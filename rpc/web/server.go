package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"instruction-catalog/rpc"
)

// The paths that are served.
const (
	MCPPath     = "/mcp"
	healthPath  = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
)

// Config configures a [Server].
type Config struct {
	MCP http.Handler // answers at MCPPath
	// Health, Ready and Metrics answer GET at /healthz, /readyz and /metrics; nil for
	// no such page.
	Health, Ready, Metrics http.HandlerFunc
	// Drain is called when the server ends. It returns when MCP owes no answer
	// and has ended its streams, or when the context has ended.
	Drain       func(context.Context)
	Tokens      Tokens           // what everything but /healthz and /readyz asks for; none for nothing
	Certificate *tls.Certificate // nil for plain HTTP
	Log         *slog.Logger
	Grace       time.Duration // how long Serve may take to end once its context has ended
}

// Server serves HTTP/1.1, over TLS 1.2 or later where it has a certificate. One
// that listens on a loopback address answers only to names of this machine, and
// to pages of this machine; others to every name, and to their own pages.
//
// A connection has 5 seconds for the head of a request, of at most 64 KiB, 30
// for its body, and 30 for each 64 KiB of the answer, which may wait for the client 2
// minutes in all; it may rest for 2 minutes. Clients have at most 1,024 connections: one
// more takes the place of the one that has rested longest, or is told to come again
// later. A connection without a request that may be answered is one of at most 1,024, and
// closed after its first request.
type Server struct {
	config      Config
	limits      limits
	draining    atomic.Bool
	connections *connections
	refused     refusals
}

// New returns a server.
func New(c Config) *Server { return newServerOf(c, usual) }

func newServerOf(c Config, l limits) *Server {
	return &Server{config: c, limits: l, connections: newConnections(l)}
}

// Serve answers what comes in through the listener, which it closes, until ctx
// ends. It then lets nobody in, finishes the requests under way, and returns nil.
// Its errors are those of the listener, and [rpc.ErrDeadline] when the grace period
// passed.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	calls, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           s.handler(onLoopback(listener)),
		ReadHeaderTimeout: s.limits.header,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    maxHeader,
		Protocols:         new(http.Protocols),
		BaseContext:       func(net.Listener) context.Context { return calls },
		ConnContext:       s.connections.with,
		ConnState:         s.connections.note,
		ErrorLog:          log.New(errorLog{s.config.Log}, "", 0),
	}
	server.Protocols.SetHTTP1(true)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.secured(listener)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return s.drain(server)
}

// drain ends the server when what is under way has been answered, or the grace
// period is over.
func (s *Server) drain(server *http.Server) error {
	s.draining.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Grace)
	defer cancel()
	server.RegisterOnShutdown(s.connections.turnAway)
	var draining sync.WaitGroup
	draining.Go(func() { s.config.Drain(ctx) })
	err := server.Shutdown(ctx)
	draining.Wait()
	if err != nil {
		_ = server.Close() // Shutdown has returned the error
		return rpc.ErrDeadline
	}
	return nil
}

// secured puts TLS between the listener and the server, if there is a
// certificate.
func (s *Server) secured(l net.Listener) net.Listener {
	if s.config.Certificate == nil {
		return l
	}
	return tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{*s.config.Certificate},
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"http/1.1"},
	})
}

// handler answers requests, of which those on loopback are from this machine.
func (s *Server) handler(loopback bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(MCPPath, s.config.MCP)
	for path, page := range map[string]http.HandlerFunc{
		healthPath: s.config.Health, readyPath: s.config.Ready, metricsPath: s.config.Metrics,
	} {
		if page != nil {
			mux.HandleFunc("GET "+path, s.unlessEnding(path, page))
		}
	}
	g := &gate{tokens: s.config.Tokens, loopback: loopback, connections: s.connections, next: mux}
	return s.timely(s.guard(g))
}

// unlessEnding answers with a page. While the server ends, open pages say that instead.
func (s *Server) unlessEnding(path string, page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !open(path) || !s.draining.Load() {
			page(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"status":"ending"}`)) // a client that has gone needs no answer
	}
}

// Gauges returns how many connections are open, and how many requests were refused.
func (s *Server) Gauges() []rpc.Gauge {
	clients, unauthenticated := s.connections.counts()
	gauges := []rpc.Gauge{
		{Name: `catalog_http_connections{of="clients"}`, Value: int64(clients)},
		{Name: `catalog_http_connections{of="unauthenticated"}`, Value: int64(unauthenticated)},
	}
	for i, status := range refusing {
		gauges = append(gauges, rpc.Gauge{
			Name: fmt.Sprintf(`catalog_http_refused_total{status="%d"}`, status), Value: s.refused[i].Load(), Counter: true,
		})
	}
	return gauges
}

// refusing are the statuses of answers that refuse.
var refusing = [...]int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable,
}

// refusals counts the answers of each of these statuses.
type refusals [len(refusing)]atomic.Int64

func (r *refusals) count(status int) {
	if i := slices.Index(refusing[:], status); i >= 0 {
		r[i].Add(1)
	}
}

// guard keeps a panic from being known to the client, and logs it.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p != http.ErrAbortHandler {
				s.config.Log.Error("request panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			}
			panic(http.ErrAbortHandler) // the connection is closed: what was written may be half an answer
		}()
		next.ServeHTTP(w, r)
	})
}

// errorLog takes what the server of the standard library has to say. That a
// client did not manage to speak TLS is nothing to act on.
type errorLog struct{ *slog.Logger }

func (l errorLog) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		l.Warn(strings.TrimSpace(string(line)))
	}
	return len(line), nil
}

func onLoopback(l net.Listener) bool {
	host, _, err := net.SplitHostPort(l.Addr().String())
	return err == nil && IsLoopback(host)
}
