package rpc

import (
	"maps"
	"slices"
	"time"
)

// DurationBounds are the bounds by which durations are counted.
var DurationBounds = [...]time.Duration{
	time.Millisecond, 5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second,
}

// Total is what the calls of one method add up to since the process started. A
// call counts when it is answered.
type Total struct {
	Method string
	Calls  int64
	Errors int64 // calls that were answered with an error
	Took   time.Duration
	Within [len(DurationBounds)]int64 // calls that took at most as long as each of the [DurationBounds]
}

// Totals returns the total of every method, called or not, by name, and then those
// of the requests that a protocol has recorded. They only ever grow.
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

// Record counts and times a request of a protocol that calls no method, such as one
// for a resource. There must be few names.
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

func (m *metric) sum(method string) Total {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := Total{Method: method, Calls: m.count, Errors: m.errors, Took: m.total}
	var calls int64
	for i := range total.Within {
		calls += m.within[i]
		total.Within[i] = calls
	}
	return total
}
