package rpc

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// DurationBounds are the upper bounds of the histogram buckets for durations.
var DurationBounds = [...]time.Duration{
	time.Millisecond, 5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second,
}

// maxLatest is the number of latest calls per method whose durations are kept.
const maxLatest = 1024

// Total summarises the calls of one method since the process started. A call is counted
// when it is answered.
type Total struct {
	Method    string
	Calls     int64
	Errors    int64 // calls that were answered with an error
	Took, Max time.Duration
	Within    [len(DurationBounds)]int64 // Within[i] counts the calls that took at most DurationBounds[i]
	Latest    []time.Duration            // durations of the last 1,024 calls, in no particular order
}

// Gauge is a current value for the /metrics page.
type Gauge struct {
	Name    string // including labels: `catalog_diagnostics{severity="error"}`
	Value   int64
	Counter bool // the value never decreases
}

// metric counts and times the calls of one method.
type metric struct {
	mu      sync.Mutex
	total   Total
	buckets [len(DurationBounds) + 1]int64 // number of calls in each [bucket]
}

func (m *metric) record(took time.Duration, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &m.total
	if len(t.Latest) < maxLatest {
		t.Latest = append(t.Latest, took)
	} else {
		t.Latest[t.Calls%maxLatest] = took
	}
	t.Calls++
	t.Took += took
	t.Max = max(t.Max, took)
	if failed {
		t.Errors++
	}
	m.buckets[bucket(took)]++
}

// bucket returns the index of the first of the [DurationBounds] that a duration does not
// exceed. If it exceeds all of them, it returns their number.
func bucket(took time.Duration) int {
	for i, bound := range DurationBounds {
		if took <= bound {
			return i
		}
	}
	return len(DurationBounds)
}

func (m *metric) sum(method string) Total {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := m.total
	total.Method, total.Latest = method, slices.Clone(total.Latest)
	var calls int64
	for i := range total.Within {
		calls += m.buckets[i]
		total.Within[i] = calls
	}
	return total
}

// Totals returns the total of every method, called or not, sorted by name, followed by
// the totals of the requests passed to [Registry.Record].
func (r *Registry) Totals() []Total {
	totals := make([]Total, 0, len(r.metrics))
	for _, m := range r.Methods() {
		totals = append(totals, r.metrics[m.Name].sum(m.Name))
	}
	r.recording.Lock()
	defer r.recording.Unlock()
	for _, name := range slices.Sorted(maps.Keys(r.recorded)) {
		totals = append(totals, r.recorded[name].sum(name))
	}
	return totals
}

// Record counts and times a protocol's request that calls no method, such as one for a
// resource. Each name uses memory until the process ends, so names must be few.
func (r *Registry) Record(name string, took time.Duration, failed bool) {
	r.recording.Lock()
	m := r.recorded[name]
	if m == nil {
		m = &metric{}
		r.recorded[name] = m
	}
	r.recording.Unlock()
	m.record(took, failed)
}
