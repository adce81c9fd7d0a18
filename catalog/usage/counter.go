package usage

import (
	"math"
	"sync"
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

// Counter counts uses. It is safe for concurrent use.
type Counter struct {
	mu      sync.RWMutex
	tracked map[catalog.ID]Use // since start, without what the files record
}

// NewCounter returns a counter that has counted nothing yet.
func NewCounter() *Counter { return &Counter{tracked: map[catalog.ID]Use{}} }

// Track counts one use of the entry and returns the total, which is what
// [Counter.Of] returns at that moment.
func (c *Counter) Track(e *catalog.Entry, now time.Time) Use {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := Use{Count: 1, LastUsedAt: catalog.NewTimestamp(now)}
	c.tracked[e.ID] = c.tracked[e.ID].after(one)
	return recorded(e).after(c.tracked[e.ID])
}

// Of returns the use of the entry: what its file records and what was tracked
// since start, added up. The later of the two last uses counts.
func (c *Counter) Of(e *catalog.Entry) (u Use) {
	c.Read(func(uses Uses) { u = uses.Of(e) })
	return u
}

// Read calls read with all uses at one moment, which lasts until it returns.
func (c *Counter) Read(read func(Uses)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(Uses{c.tracked})
}

// Uses are the counts at one moment; see [Counter.Read].
type Uses struct {
	tracked map[catalog.ID]Use
}

// Of returns what [Counter.Of] does.
func (u Uses) Of(e *catalog.Entry) Use {
	if len(u.tracked) == 0 {
		return recorded(e)
	}
	tracked, ok := u.tracked[e.ID]
	if !ok {
		return recorded(e)
	}
	return recorded(e).after(tracked)
}

func recorded(e *catalog.Entry) Use {
	return Use{Count: e.UsageCount, LastUsedAt: e.LastUsedAt}
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
