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

// The paths that the server serves.
const (
	MCPPath     = "/mcp"
	healthPath  = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
)

// Config configures a [Server].
type Config struct {
	MCP http.Handler // serves MCPPath
	// Health, Ready and Metrics answer GET at /healthz, /readyz and /metrics. A page whose
	// handler is nil does not exist.
	Health, Ready, Metrics http.HandlerFunc
	// Drain is called when the server shuts down. It returns when MCP has answered all
	// requests and ended its streams, or when the context is done.
	Drain       func(context.Context)
	Tokens      Tokens           // required by all paths except /healthz and /readyz; empty for no authentication
	Certificate *tls.Certificate // nil for plain HTTP
	Log         *slog.Logger
	Grace       time.Duration // how long Serve may take to return after its context is done
}

// Server serves HTTP/1.1, over TLS 1.2 or later if it has a certificate. On a loopback
// address it accepts only requests whose Host is localhost or a loopback address, and only
// from programs and from pages of this machine. On other addresses it accepts every Host,
// and only requests from programs and from its own pages.
//
// The time limits of a connection are 5 seconds for a request header, which has at most
// 64 KiB; 30 seconds for a request body; 30 seconds for each 64 KiB of an answer, and 2
// minutes for all writes of an answer; and 2 minutes between requests. Clients have at most
// 1,024 connections. An additional one closes the client connection that has been idle
// longest; if none is idle, requests for MCPPath are answered with status 503. At most
// 1,024 connections are unauthenticated. They are closed after a request that is refused or
// has no token.
type Server struct {
	config      Config
	limits      limits
	draining    atomic.Bool
	connections *connections
	refused     refusals
}

// New returns a server with the usual limits.
func New(c Config) *Server { return newServerOf(c, usual) }

func newServerOf(c Config, l limits) *Server {
	return &Server{config: c, limits: l, connections: newConnections(l)}
}

// Serve serves connections from the listener until ctx is done. It then closes the
// listener, finishes the requests under way and returns nil. Its errors are those of the
// listener, and [rpc.ErrDeadline] if requests did not finish within the grace period.
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

// drain shuts the server down. It waits for requests under way until the grace period is
// over, and then returns [rpc.ErrDeadline].
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

// secured returns a TLS listener on top of l, or l if the server has no certificate.
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

// handler returns the handler of the server. loopback means that the server listens on a
// loopback address.
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

// unlessEnding returns a handler for a page. While the server shuts down, an open page is
// answered with status 503 and "ending".
func (s *Server) unlessEnding(path string, page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !open(path) || !s.draining.Load() {
			page(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"status":"ending"}`)) // the client may have disconnected
	}
}

// Gauges returns the numbers of open connections, and of refused requests by status.
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

// refusing lists the HTTP statuses that count as refusals.
var refusing = [...]int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable,
}

// refusals counts the answers with each status in refusing.
type refusals [len(refusing)]atomic.Int64

func (r *refusals) count(status int) {
	if i := slices.Index(refusing[:], status); i >= 0 {
		r[i].Add(1)
	}
}

// guard logs a panic and closes the connection, so that the client gets no details.
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
			panic(http.ErrAbortHandler) // closes the connection, since the answer may be incomplete
		}()
		next.ServeHTTP(w, r)
	})
}

// errorLog logs the errors of [http.Server] as warnings. It drops TLS handshake errors,
// because they are errors of clients.
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
