package usage

import (
	"math"
	"time"

	"instruction-catalog/catalog"
)

// Use is how often and when an entry was used. Its zero value: never.
type Use struct {
	Count      int64             `json:"usageCount"`
	LastUsedAt catalog.Timestamp `json:"lastUsedAt,omitempty"` // absent where only the number is known
}

// plus returns u and v together.
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

// Signal is how good an entry was to the one who used it.
type Signal string

// The signals.
const (
	Helpful     Signal = "helpful"
	Outdated    Signal = "outdated"
	NotRelevant Signal = "not-relevant"
)

// Kind describes one use. Either member may be empty.
type Kind struct {
	Action Action
	Signal Signal
}

// Totals are the uses of an entry added up. Every use counts, and those with an
// action or a signal are also counted apart, by what they told.
type Totals struct {
	Use
	Actions Actions `json:"actions,omitzero"`
	Signals Signals `json:"signals,omitzero"`
}

// Actions are numbers of uses, by what was done.
type Actions struct {
	Retrieved int64 `json:"retrieved,omitempty"`
	Applied   int64 `json:"applied,omitempty"`
}

// Signals are numbers of uses, by how good the entry was.
type Signals struct {
	Helpful     int64 `json:"helpful,omitempty"`
	Outdated    int64 `json:"outdated,omitempty"`
	NotRelevant int64 `json:"not-relevant,omitempty"`
}

// one is a single use.
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

// plus returns t and u together.
func (t Totals) plus(u Totals) Totals {
	a, s := &t.Actions, &t.Signals
	return Totals{
		Use:     t.Use.plus(u.Use),
		Actions: Actions{addCounts(a.Retrieved, u.Actions.Retrieved), addCounts(a.Applied, u.Actions.Applied)},
		Signals: Signals{addCounts(s.Helpful, u.Signals.Helpful), addCounts(s.Outdated, u.Signals.Outdated), addCounts(s.NotRelevant, u.Signals.NotRelevant)},
	}
}

// valid reports whether the numbers can be: none is below 0, and something was
// counted.
func (t Totals) valid() bool {
	return t.Count > 0 && min(t.Actions.Retrieved, t.Actions.Applied, t.Signals.Helpful, t.Signals.Outdated, t.Signals.NotRelevant) >= 0
}

// addCounts adds counts, none of which is below 0. It stays at the greatest number
// there is rather than turn negative.
func addCounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// instant reads a timestamp, with or without fractions of a second. One that
// is absent or unreadable comes before all others.
func instant(t catalog.Timestamp) time.Time {
	if t == "" {
		return time.Time{} // the common case, spared the making of an error
	}
	parsed, err := time.Parse(time.RFC3339Nano, string(t))
	if err != nil {
		return time.Time{}
	}
	return parsed
}
