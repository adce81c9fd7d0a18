package usage

import (
	"math"
	"time"

	"instruction-catalog/catalog"
)

// Use says how often an entry was used, and when last. The zero value means never.
type Use struct {
	Count      int64             `json:"usageCount"`
	LastUsedAt catalog.Timestamp `json:"lastUsedAt,omitempty"` // "" if only the count is known
}

// plus returns the sum of u and v, with the later of their last uses.
func (u Use) plus(v Use) Use {
	total := Use{Count: addCounts(u.Count, v.Count), LastUsedAt: u.LastUsedAt}
	if instant(v.LastUsedAt).After(instant(u.LastUsedAt)) {
		total.LastUsedAt = v.LastUsedAt
	}
	return total
}

// Action says how an entry was used.
type Action string

// The actions.
const (
	Retrieved Action = "retrieved" // it was read
	Applied   Action = "applied"   // it was followed
)

// Signal says how useful an entry was to its user.
type Signal string

// The signals.
const (
	Helpful     Signal = "helpful"
	Outdated    Signal = "outdated"
	NotRelevant Signal = "not-relevant"
)

// Kind describes one use. Either field may be empty.
type Kind struct {
	Action Action
	Signal Signal
}

// Totals are the counts of an entry. Count includes every use. Actions and Signals also
// count the uses that have an action or a signal.
type Totals struct {
	Use
	Actions Actions `json:"actions,omitzero"`
	Signals Signals `json:"signals,omitzero"`
}

// Actions are the numbers of uses by action.
type Actions struct {
	Retrieved int64 `json:"retrieved,omitempty"`
	Applied   int64 `json:"applied,omitempty"`
}

// Signals are the numbers of uses by signal.
type Signals struct {
	Helpful     int64 `json:"helpful,omitempty"`
	Outdated    int64 `json:"outdated,omitempty"`
	NotRelevant int64 `json:"not-relevant,omitempty"`
}

// one returns the totals of a single use at the time now.
func (k Kind) one(now time.Time) Totals {
	t := Totals{Use: Use{Count: 1, LastUsedAt: catalog.NewTimestamp(now)}}
	switch k.Action {
	case Retrieved:
		t.Actions.Retrieved = 1
	case Applied:
		t.Actions.Applied = 1
	}
	switch k.Signal {
	case Helpful:
		t.Signals.Helpful = 1
	case Outdated:
		t.Signals.Outdated = 1
	case NotRelevant:
		t.Signals.NotRelevant = 1
	}
	return t
}

// plus returns the sum of t and u.
func (t Totals) plus(u Totals) Totals {
	a, s := &t.Actions, &t.Signals
	return Totals{
		Use:     t.Use.plus(u.Use),
		Actions: Actions{addCounts(a.Retrieved, u.Actions.Retrieved), addCounts(a.Applied, u.Actions.Applied)},
		Signals: Signals{addCounts(s.Helpful, u.Signals.Helpful), addCounts(s.Outdated, u.Signals.Outdated), addCounts(s.NotRelevant, u.Signals.NotRelevant)},
	}
}

// valid reports whether the totals are possible: Count is above 0, and no other count
// is below 0.
func (t Totals) valid() bool {
	return t.Count > 0 && min(t.Actions.Retrieved, t.Actions.Applied, t.Signals.Helpful, t.Signals.Outdated, t.Signals.NotRelevant) >= 0
}

// addCounts returns a + b, or [math.MaxInt64] if the sum is greater than that. Neither
// a nor b may be below 0.
func addCounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// instant parses a timestamp, with or without fractions of a second. It returns the
// zero time, which is before all others, if the timestamp is empty or invalid.
func instant(t catalog.Timestamp) time.Time {
	if t == "" {
		return time.Time{} // the common case, without allocating an error
	}
	parsed, err := time.Parse(time.RFC3339Nano, string(t))
	if err != nil {
		return time.Time{}
	}
	return parsed
}
