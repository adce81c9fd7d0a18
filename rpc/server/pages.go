package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"instruction-catalog/rpc"
)

// Pages provides the HTTP handlers for /healthz, /readyz and /metrics.
type Pages struct {
	registry  *rpc.Registry
	private   bool
	readiness readiness
	gauges    []func() []rpc.Gauge
}

// NewPages returns the pages of a registry. If private is set, the health page returns only
// the status. The gauges are added to the metrics page.
func NewPages(registry *rpc.Registry, private bool, gauges ...func() []rpc.Gauge) *Pages {
	metrics.ExposeMetadata(true) // a process-wide setting; the process has no other metrics
	return &Pages{registry: registry, private: private, readiness: readiness{registry: registry}, gauges: gauges}
}

// Health answers with the result of health/check.
func (p *Pages) Health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	result, failure := p.registry.Call(r.Context(), "health/check", nil)
	switch {
	case failure != nil:
		w.WriteHeader(http.StatusInternalServerError)
		result = rpc.JSON{[]byte(`{"status":"failed"}`)}
	case p.private:
		result = rpc.JSON{[]byte(`{"status":"ok"}`)}
	}
	_, _ = result.WriteTo(w) // the client may have disconnected
}

// readyTimeout is how long [Pages.Ready] waits for the toolsets to be ready.
const readyTimeout = 5 * time.Second

// Ready answers with status 200 if every toolset can answer its methods, otherwise with
// 503. It makes the toolsets load their data.
func (p *Pages) Ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	state := p.readiness.check(ctx).state
	w.Header().Set("Content-Type", "application/json")
	if state != ready {
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintf(w, `{"status":%q}`, state)
}

// metricsTimeout is how long [Pages.Metrics] waits for the health of the toolsets.
const metricsTimeout = 100 * time.Millisecond

// Metrics answers in the Prometheus text format: the calls of each method, the gauges of
// the server and its toolsets, and the resources that the process uses.
func (p *Pages) Metrics(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), metricsTimeout)
	defer cancel()
	now := p.readiness.check(ctx)
	set := metrics.NewSet()
	addGauges(set, now.gauges)
	addGauges(set, stateGauges(now.state))
	for _, source := range p.gauges {
		addGauges(set, source())
	}
	var page bytes.Buffer
	writeCalls(&page, p.registry.Totals())
	set.WritePrometheus(&page)
	metrics.WriteProcessMetrics(&page)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = page.WriteTo(w)
}

func stateGauges(now state) (gauges []rpc.Gauge) {
	for _, s := range []state{ready, loading, failed} {
		g := rpc.Gauge{Name: fmt.Sprintf("catalog_state{state=%q}", s)}
		if s == now {
			g.Value = 1
		}
		gauges = append(gauges, g)
	}
	return gauges
}

func addGauges(set *metrics.Set, gauges []rpc.Gauge) {
	for _, g := range gauges {
		if g.Counter {
			set.GetOrCreateCounter(g.Name).Set(uint64(g.Value))
		} else {
			set.GetOrCreateGauge(g.Name, func() float64 { return float64(g.Value) })
		}
	}
}

// writeCalls writes the number and the durations of the calls of each method. It writes
// the histogram without the metrics library, whose histograms have buckets of a type
// (vmrange) from which Prometheus cannot compute quantiles.
func writeCalls(w io.Writer, totals []rpc.Total) {
	set := metrics.NewSet()
	for _, total := range totals {
		labels := fmt.Sprintf("{method=%q}", total.Method)
		set.GetOrCreateCounter("catalog_method_calls_total" + labels).Set(uint64(total.Calls))
		set.GetOrCreateCounter("catalog_method_errors_total" + labels).Set(uint64(total.Errors))
		set.GetOrCreateFloatCounter("catalog_method_seconds_total" + labels).Set(total.Took.Seconds())
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
