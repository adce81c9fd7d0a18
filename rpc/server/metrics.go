package server

import (
	"context"
	"math"
	"slices"
	"time"

	"instruction-catalog/rpc"
)

type metricsParams struct {
	Detail bool `json:"detail"`
}

type metricsResult struct {
	GeneratedAt string       `json:"generatedAt"`
	Methods     []methodStat `json:"methods"`
}

// methodStat holds the statistics of a method, with durations in milliseconds. The pointers
// are nil, and absent from the JSON, unless the caller asked for detail.
type methodStat struct {
	Method string   `json:"method"`
	Count  int64    `json:"count"`
	AvgMs  float64  `json:"avgMs"`
	MaxMs  float64  `json:"maxMs"`
	Errors *int64   `json:"errors,omitempty"`
	P50Ms  *float64 `json:"p50Ms,omitempty"`
	P95Ms  *float64 `json:"p95Ms,omitempty"`
	P99Ms  *float64 `json:"p99Ms,omitempty"`
}

func (m *methods) metrics() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "metrics/snapshot",
		Title:   "Measurements of the methods",
		Summary: "Number of calls and durations of each method.",
		Doc: "Every method that was called since the process started, by name. Durations are in milliseconds; " +
			"a call counts when it is answered, so the running call is not in its own answer. " +
			"With `detail`, also the calls that were answered with an error, and percentiles over each method's last 1,024 calls.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(_ context.Context, p metricsParams) (metricsResult, error) {
		result := metricsResult{GeneratedAt: m.timestamp(), Methods: []methodStat{}}
		for _, total := range m.registry.Totals() {
			if _, isMethod := m.registry.Method(total.Method); isMethod && total.Calls > 0 {
				result.Methods = append(result.Methods, statOf(total, p.Detail))
			}
		}
		return result, nil
	}, nil)
}

func statOf(t rpc.Total, detail bool) methodStat {
	stat := methodStat{
		Method: t.Method, Count: t.Calls, AvgMs: milliseconds(t.Took / time.Duration(t.Calls)), MaxMs: milliseconds(t.Max),
	}
	if detail {
		slices.Sort(t.Latest)
		stat.Errors = new(t.Errors)
		stat.P50Ms = new(percentile(t.Latest, 0.50))
		stat.P95Ms = new(percentile(t.Latest, 0.95))
		stat.P99Ms = new(percentile(t.Latest, 0.99))
	}
	return stat
}

// percentile returns a percentile of the sorted durations by the nearest-rank method, in
// milliseconds. p is from 0 to 1.
func percentile(sorted []time.Duration, p float64) float64 {
	rank := int(math.Ceil(p*float64(len(sorted)))) - 1
	return milliseconds(sorted[max(rank, 0)])
}

// milliseconds converts d to milliseconds, truncated to whole microseconds.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
