package web

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/VictoriaMetrics/metrics"

	"instruction-catalog/rpc"
)

// healthMethod is the method that /healthz answers with.
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

// metrics answers with what the methods were called for, and what the process
// uses, in the text format of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	set := metrics.NewSet()
	for _, total := range s.config.Registry.Totals() {
		of := fmt.Sprintf("{method=%q}", total.Method)
		set.GetOrCreateCounter("catalog_method_calls_total" + of).Set(uint64(total.Calls))
		set.GetOrCreateCounter("catalog_method_errors_total" + of).Set(uint64(total.Errors))
		set.GetOrCreateFloatCounter("catalog_method_seconds_total" + of).Set(total.Took.Seconds())
	}
	var page bytes.Buffer
	set.WritePrometheus(&page)
	metrics.WriteProcessMetrics(&page)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = page.WriteTo(w)
}
