package tools_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkCalls measures calls with 10,000 notes of 2 KB with ten links each.
func BenchmarkCalls(b *testing.B) {
	const count = 10_000
	dir, r := b.TempDir(), rand.New(rand.NewPCG(1, 2))
	for i := range count {
		text := fmt.Sprintf("---\ntags: [t%d, u%d]\n---\n# Note %d\n\n", i%7, i%100, i)
		for range 10 {
			text += fmt.Sprintf("A line about [[n%d]].\n", r.IntN(count))
		}
		text += strings.Repeat("More of it. ", (2048-len(text))/12)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%d.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	f := newFixture(b, dir)
	f.call(b, "get_hubs", `{}`)
	f.call(b, "search_text", `{"query":"line"}`)
	for _, call := range []string{`get_node {"id":"nX.md","depth":1}`, `get_neighbors {"id":"nX.md"}`, `search_by_tags {"tags":["t3"]}`, `get_hubs {"limit":50}`, `search_text {"query":"note nX"}`} {
		tool, params, _ := strings.Cut(call, " ")
		b.Run(tool, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				if got := f.call(b, tool, strings.Replace(params, "X", fmt.Sprint(r.IntN(count)), 1)); strings.Contains(got, `"error"`) {
					b.Fatal(got)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
		})
	}
}
