package rpc

import "time"

// Total is what the calls of one method add up to since the process started. A
// call counts when it is answered.
type Total struct {
	Method string
	Calls  int64
	Errors int64 // calls that were answered with an error
	Took   time.Duration
}

// Totals returns the total of every method, called or not, by name. They only
// ever grow.
func (r *Registry) Totals() []Total {
	totals := make([]Total, 0, len(r.metrics))
	for _, m := range r.Methods() {
		totals = append(totals, r.metrics[m.Name].sum(m.Name))
	}
	return totals
}

func (m *metric) sum(method string) Total {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Total{Method: method, Calls: m.count, Errors: m.errors, Took: m.total}
}
