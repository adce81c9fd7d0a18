package usage

import (
	"maps"
	"math"
	"time"

	"instruction-catalog/catalog"
)

// Use is how often and when an entry was used. Its zero value: never.
type Use struct {
	Count      int64             `json:"usageCount"`
	LastUsedAt catalog.Timestamp `json:"lastUsedAt,omitempty"` // absent where only the number is known
}

// after returns the use that u and then v make together. The count stays at
// the greatest number there is rather than to turn negative.
func (u Use) after(v Use) Use {
	sum := Use{Count: u.Count + v.Count, LastUsedAt: u.LastUsedAt}
	if u.Count > math.MaxInt64-v.Count {
		sum.Count = math.MaxInt64
	}
	if instant(v.LastUsedAt).After(instant(u.LastUsedAt)) {
		sum.LastUsedAt = v.LastUsedAt
	}
	return sum
}

// Action is what was done with an entry when it was used.
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

// Kind is what is told of one use. Either may be empty.
type Kind struct {
	Action Action
	Signal Signal
}

// Tally is the uses of an entry added up. Every use counts, and those with an
// action or a signal are also counted apart, by what they told.
type Tally struct {
	Use
	Actions map[Action]int64 `json:"actions,omitempty"`
	Signals map[Signal]int64 `json:"signals,omitempty"`
}

// one is a single use.
func (k Kind) one(now time.Time) Tally {
	t := Tally{Use: Use{Count: 1, LastUsedAt: catalog.NewTimestamp(now)}}
	if k.Action != "" {
		t.Actions = map[Action]int64{k.Action: 1}
	}
	if k.Signal != "" {
		t.Signals = map[Signal]int64{k.Signal: 1}
	}
	return t
}

// after returns the tally that t and then u make together, and changes neither.
func (t Tally) after(u Tally) Tally {
	return Tally{t.Use.after(u.Use), sum(t.Actions, u.Actions), sum(t.Signals, u.Signals)}
}

func sum[K comparable](a, b map[K]int64) map[K]int64 {
	if len(b) == 0 {
		return a
	}
	total := maps.Clone(a)
	if total == nil {
		total = make(map[K]int64, len(b))
	}
	for k, n := range b {
		total[k] = Use{Count: total[k]}.after(Use{Count: n}).Count
	}
	return total
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
