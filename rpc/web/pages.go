package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"instruction-catalog/rpc"
)

// healthMethod is the method that /healthz and /readyz ask.
const healthMethod = "health/check"

// health answers with the result of the health method, if there is one. Whom the
// server does not know learns only that it is there.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if s.draining.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"status":"ending"}`)) // whoever has gone needs no answer; so below
		return
	}
	result := rpc.JSON{[]byte(`{"status":"ok"}`)}
	if _, ok := s.config.Registry.Method(healthMethod); ok {
		told, failure := s.config.Registry.Call(r.Context(), healthMethod, nil)
		if failure != nil {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"status":"failed"}`))
			return
		}
		if len(s.config.Tokens) == 0 {
			result = told
		}
	}
	_, _ = result.WriteTo(w)
}

// The states of a catalog, as it is told of itself, and while it is asked.
const (
	ready   = "ready"
	loading = "loading"
	failed  = "failed"
)

// catalogState is what the health method tells of the catalog.
type catalogState struct {
	State    string `json:"state"`
	Entries  int    `json:"entries"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
}

// readiness asks how the catalog is, once at a time and at most once a second: to
// ask may have it loaded, and strangers may ask, too.
type readiness struct {
	registry *rpc.Registry

	mu    sync.Mutex
	asked time.Time
	under chan struct{} // closed when the answer is there; nil while nobody asks
	last  catalogState
}

const readyFor = time.Second

// state returns how the catalog is, or that it is loading where ctx ends before that is known.
func (r *readiness) state(ctx context.Context) catalogState {
	r.mu.Lock()
	if r.under == nil && (r.last.State == "" || time.Since(r.asked) >= readyFor) {
		r.under = make(chan struct{})
		go r.ask(context.WithoutCancel(ctx), r.under)
	}
	under, last := r.under, r.last
	r.mu.Unlock()
	if under == nil {
		return last
	}
	select {
	case <-under:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.last
	case <-ctx.Done():
	}
	if last.State == "" {
		last.State = loading
	}
	return last
}

func (r *readiness) ask(ctx context.Context, done chan struct{}) {
	now := r.told(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.asked, r.under = now, time.Now(), nil
	close(done)
}

// told is what the health method says. A server without a catalog is ready.
func (r *readiness) told(ctx context.Context) catalogState {
	if _, ok := r.registry.Method(healthMethod); !ok {
		return catalogState{State: ready}
	}
	result, failure := r.registry.Call(ctx, healthMethod, json.RawMessage(`{"detail":true}`))
	health := struct {
		Catalog catalogState `json:"catalog"`
	}{catalogState{State: ready}}
	if failure != nil || json.Unmarshal(result.Bytes(), &health) != nil {
		return catalogState{State: failed}
	}
	return health.Catalog
}

// readyWithin is how long /readyz waits for the catalog to be loaded.
const readyWithin = 5 * time.Second

// ready answers whether the catalog can be served, and loads it if need be.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	state := "ending"
	if !s.draining.Load() {
		state = s.readiness.state(ctx).State
	}
	w.Header().Set("Content-Type", "application/json")
	if state != ready {
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintf(w, `{"status":%q}`, state)
}

// metricsWithin is how long /metrics waits to be told how the catalog is.
const metricsWithin = 100 * time.Millisecond

// metrics answers with what the methods were called for, what clients hold, how the
// catalog is, and what the process uses, in the text format of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	var page bytes.Buffer
	writeCalls(&page, s.config.Registry.Totals())
	set := metrics.NewSet()
	s.addTraffic(set)
	ctx, cancel := context.WithTimeout(r.Context(), metricsWithin)
	defer cancel()
	addCatalog(set, s.readiness.state(ctx))
	set.WritePrometheus(&page)
	metrics.WriteProcessMetrics(&page)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = page.WriteTo(w)
}

// addTraffic adds what clients hold, and what they were refused.
func (s *Server) addTraffic(set *metrics.Set) {
	clients, strangers := s.connections.counts()
	gauge(set, `catalog_http_connections{of="clients"}`, clients)
	gauge(set, `catalog_http_connections{of="unauthenticated"}`, strangers)
	for name, value := range s.config.Gauges {
		gauge(set, name, value())
	}
	for i, status := range refusing {
		set.GetOrCreateCounter(fmt.Sprintf(`catalog_http_refused_total{status="%d"}`, status)).Set(s.refused[i].Load())
	}
}

func addCatalog(set *metrics.Set, c catalogState) {
	for _, state := range []string{ready, loading, failed} {
		is := 0
		if state == c.State {
			is = 1
		}
		gauge(set, fmt.Sprintf("catalog_state{state=%q}", state), is)
	}
	gauge(set, "catalog_entries", c.Entries)
	gauge(set, `catalog_diagnostics{severity="error"}`, c.Errors)
	gauge(set, `catalog_diagnostics{severity="warning"}`, c.Warnings)
}

func gauge(set *metrics.Set, name string, value int) {
	set.GetOrCreateGauge(name, func() float64 { return float64(value) })
}

// writeCalls writes how often each method was called, and how long that took. The
// histogram is written by hand: those of the library have buckets of its own kind
// (vmrange), of which Prometheus computes no quantiles.
func writeCalls(w io.Writer, totals []rpc.Total) {
	set := metrics.NewSet()
	for _, total := range totals {
		of := fmt.Sprintf("{method=%q}", total.Method)
		set.GetOrCreateCounter("catalog_method_calls_total" + of).Set(uint64(total.Calls))
		set.GetOrCreateCounter("catalog_method_errors_total" + of).Set(uint64(total.Errors))
		set.GetOrCreateFloatCounter("catalog_method_seconds_total" + of).Set(total.Took.Seconds())
	}
	set.WritePrometheus(w)
	const name = "catalog_method_duration_seconds"
	fmt.Fprintf(w, "# HELP %s\n# TYPE %s histogram\n", name, name)
	for _, total := range totals {
		for i, bound := range rpc.DurationBounds {
			fmt.Fprintf(w, "%s_bucket{method=%q,le=\"%g\"} %d\n", name, total.Method, bound.Seconds(), total.Within[i])
		}
		fmt.Fprintf(w, "%s_bucket{method=%q,le=\"+Inf\"} %d\n", name, total.Method, total.Calls)
		fmt.Fprintf(w, "%s_sum{method=%q} %g\n", name, total.Method, total.Took.Seconds())
		fmt.Fprintf(w, "%s_count{method=%q} %d\n", name, total.Method, total.Calls)
	}
}

// refusing are the statuses of answers that refuse.
var refusing = [...]int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable,
}

// refusals counts the answers of each of these statuses.
type refusals [len(refusing)]atomic.Uint64

func (r *refusals) count(status int) {
	if i := slices.Index(refusing[:], status); i >= 0 {
		r[i].Add(1)
	}
}
