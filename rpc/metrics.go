package rpc

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// recent is how many of the latest calls of a method its percentiles cover.
const recent = 1024

// metric counts and times the calls of one method.
type metric struct {
	mu         sync.Mutex
	count      int64
	errors     int64
	total, max time.Duration
	latest     []time.Duration                // a ring of the last calls
	within     [len(DurationBounds) + 1]int64 // calls by the first of the bounds that they do not exceed
}

func (m *metric) record(took time.Duration, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.latest) < recent {
		m.latest = append(m.latest, took)
	} else {
		m.latest[m.count%recent] = took
	}
	m.count++
	m.within[bucket(took)]++
	m.total += took
	m.max = max(m.max, took)
	if failed {
		m.errors++
	}
}

// bucket returns the index of the first of the bounds that a duration does not
// exceed, their number where it exceeds all.
func bucket(took time.Duration) int {
	for i, bound := range DurationBounds {
		if took <= bound {
			return i
		}
	}
	return len(DurationBounds)
}

type metricsParams struct {
	Detail bool `json:"detail"`
}

type metricsResult struct {
	GeneratedAt string       `json:"generatedAt"`
	Methods     []methodStat `json:"methods"`
}

// methodStat has durations in milliseconds. The pointers are nil, and absent,
// unless detail was asked for.
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

func (m *metric) stat(name string, detail bool) methodStat {
	m.mu.Lock()
	defer m.mu.Unlock()
	stat := methodStat{Method: name, Count: m.count, MaxMs: milliseconds(m.max)}
	if m.count > 0 {
		stat.AvgMs = milliseconds(m.total / time.Duration(m.count))
	}
	if detail {
		sorted := slices.Sorted(slices.Values(m.latest))
		stat.Errors = new(m.errors)
		stat.P50Ms = new(percentile(sorted, 0.50))
		stat.P95Ms = new(percentile(sorted, 0.95))
		stat.P99Ms = new(percentile(sorted, 0.99))
	}
	return stat
}

// percentile is the smallest of the sorted durations that a share p of them
// does not exceed (nearest rank), in milliseconds.
func percentile(sorted []time.Duration, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p*float64(len(sorted)))) - 1
	return milliseconds(sorted[max(rank, 0)])
}

// milliseconds rounds to microseconds.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

func (r *Registry) metricsSnapshot() Method {
	return Declare(Method{
		Name:    "metrics/snapshot",
		Title:   "Measurements of the methods",
		Summary: "How often each method was called, and how long it took.",
		Doc: "Every method that was called since the process started, by name. Durations are in milliseconds; " +
			"a call counts when it is answered, so the running call is not in its own answer. " +
			"With `detail`, also the calls that were answered with an error, and percentiles over each method's last 1,024 calls.",
		Since: "1.0", Stability: Stable, Effect: Reads,
	}, func(_ context.Context, p metricsParams) (metricsResult, error) {
		result := metricsResult{GeneratedAt: r.timestamp(), Methods: []methodStat{}}
		for _, m := range r.Methods() {
			if stat := r.metrics[m.Name].stat(m.Name, p.Detail); stat.Count > 0 {
				result.Methods = append(result.Methods, stat)
			}
		}
		return result, nil
	}, nil)
}

func (r *Registry) timestamp() string {
	return r.now().UTC().Format("2006-01-02T15:04:05.000Z")
}
