package usage

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

var noon = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

func TestOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		recorded Use
		tracked  []time.Time
		want     Use
	}{
		{"never used", Use{}, nil, Use{}},
		{"only recorded", Use{7, "2024-01-01T00:00:00.000Z"}, nil, Use{7, "2024-01-01T00:00:00.000Z"}},
		{"number alone recorded", Use{Count: 7}, nil, Use{Count: 7}},
		{"only tracked", Use{}, []time.Time{noon}, Use{1, "2025-06-01T12:00:00.000Z"}},
		{"both", Use{7, "2024-01-01T00:00:00.000Z"}, []time.Time{noon, noon.Add(time.Second)}, Use{9, "2025-06-01T12:00:01.000Z"}},
		{"number recorded, time tracked", Use{Count: 7}, []time.Time{noon}, Use{8, "2025-06-01T12:00:00.000Z"}},
		{"out of order", Use{}, []time.Time{noon, noon.Add(-time.Hour)}, Use{2, "2025-06-01T12:00:00.000Z"}},
		{"recorded is later", Use{7, "2030-01-01T00:00:00.000Z"}, []time.Time{noon}, Use{8, "2030-01-01T00:00:00.000Z"}},
		{"later by a fraction", Use{7, "2025-06-01T12:00:00Z"}, []time.Time{noon.Add(time.Millisecond)}, Use{8, "2025-06-01T12:00:00.001Z"}},
		{"recorded is unreadable", Use{7, "yesterday"}, []time.Time{noon}, Use{8, "2025-06-01T12:00:00.000Z"}},
		{"other zone", Use{}, []time.Time{noon.In(time.FixedZone("", 7200))}, Use{1, "2025-06-01T12:00:00.000Z"}},
		{"no overflow", Use{Count: math.MaxInt64}, []time.Time{noon}, Use{math.MaxInt64, "2025-06-01T12:00:00.000Z"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := NewCounter()
			e := entry("a", test.recorded)
			for _, now := range test.tracked {
				if returned := c.Track(e, Kind{}, now, nil); returned != (Tracked{c.Of(e), false}) {
					t.Errorf("Track = %v, then Of = %v", returned, c.Of(e))
				}
			}
			if got := c.Of(e); got != test.want {
				t.Errorf("Of = %v, want %v", got, test.want)
			}
			if other := c.Of(entry("b", Use{})); other != (Use{}) {
				t.Errorf("Of an entry that nobody tracked = %v", other)
			}
		})
	}
}

// A count belongs to the id, so it continues when the catalog is reloaded.
func TestCountOutlivesSnapshot(t *testing.T) {
	t.Parallel()
	c := NewCounter()
	c.Track(entry("a", Use{}), Kind{}, noon, nil)
	if got := c.Of(entry("a", Use{})).Count; got != 1 {
		t.Errorf("count of the same id in another snapshot = %d, want 1", got)
	}
}

func TestHotset(t *testing.T) {
	t.Parallel()
	c := NewCounter()
	entries := []*catalog.Entry{
		entry("never", Use{}),
		entry("d", Use{2, "2025-01-01T00:00:00.000Z"}),
		entry("c", Use{2, "2025-01-01T00:00:00Z"}), // the same instant as d
		entry("b", Use{2, "2025-01-01T00:00:00.500Z"}),
		entry("dateless", Use{Count: 2}),
		entry("tracked", Use{Count: 9}),
	}
	c.Track(entries[5], Kind{}, noon, nil)
	want := []catalog.ID{"tracked", "b", "c", "d", "dateless"}
	for limit := -1; limit <= len(want)+1; limit++ {
		hot := c.Hotset(entries, limit)
		n := min(max(limit, 0), len(want))
		if got := ids(hot); !slices.Equal(got, want[:n]) {
			t.Errorf("limit %d: %v, want %v", limit, got, want[:n])
		}
	}
}

func TestHotsetJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entries []*catalog.Entry
		want    string
	}{
		{nil, `[]`},
		{[]*catalog.Entry{entry("a", Use{})}, `[]`},
		{[]*catalog.Entry{entry("a", Use{5, "2025-01-01T00:00:00.000Z"})}, `[{"id":"a","usageCount":5,"lastUsedAt":"2025-01-01T00:00:00.000Z"}]`},
		{[]*catalog.Entry{entry("a", Use{Count: 5})}, `[{"id":"a","usageCount":5}]`},
	}
	for _, test := range tests {
		got, err := json.Marshal(NewCounter().Hotset(test.entries, 10))
		if err != nil || string(got) != test.want {
			t.Errorf("got %s, %v; want %s", got, err, test.want)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := NewCounter()
	shared, entries := entry("shared", Use{}), corpus(10)
	var wg sync.WaitGroup
	const goroutines, each = 8, 200
	for g := range goroutines {
		wg.Go(func() {
			for i := range each {
				c.Track(shared, Kind{}, noon.Add(time.Duration(i)*time.Second), nil)
				c.Track(entries[(g+i)%len(entries)], Kind{}, noon, nil)
				c.Hotset(entries, 5)
			}
		})
	}
	wg.Wait()
	want := Use{goroutines * each, catalog.NewTimestamp(noon.Add((each - 1) * time.Second))}
	if got := c.Of(shared); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	var total int64
	for _, e := range entries {
		total += c.Of(e).Count
	}
	if total != goroutines*each {
		t.Errorf("the others were counted %d times, want %d", total, goroutines*each)
	}
}

func BenchmarkOf(b *testing.B) {
	for _, tracked := range []int{0, 100, 5000} {
		entries, c := corpus(5000), NewCounter()
		for _, e := range entries[:tracked] {
			c.Track(e, Kind{}, noon, nil)
		}
		b.Run(fmt.Sprintf("entries=5000/tracked=%d", tracked), func(b *testing.B) {
			for b.Loop() {
				for _, e := range entries {
					c.Of(e)
				}
			}
		})
	}
}

func BenchmarkHotset(b *testing.B) {
	entries, c := corpus(5000), NewCounter()
	for i, e := range entries {
		c.Track(e, Kind{}, noon.Add(time.Duration(i%60)*time.Second), nil)
	}
	for b.Loop() {
		c.Hotset(entries, 10)
	}
}

func entry(id catalog.ID, recorded Use) *catalog.Entry {
	return &catalog.Entry{ID: id, UsageCount: recorded.Count, LastUsedAt: recorded.LastUsedAt}
}

func corpus(n int) []*catalog.Entry {
	entries := make([]*catalog.Entry, n)
	for i := range entries {
		entries[i] = entry(catalog.ID(fmt.Sprintf("team-go-instruction-%05d", i)), Use{})
	}
	return entries
}

func ids(hot []Hot) []catalog.ID {
	var out []catalog.ID
	for _, h := range hot {
		out = append(out, h.ID)
	}
	return out
}
