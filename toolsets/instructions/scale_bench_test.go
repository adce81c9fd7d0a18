package instructions

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// scales are the sizes of the benchmarks, with entries of 1.8 KB and 1 KB. The largest
// takes a minute and 3 GB; -short skips it.
var scales = []struct{ entries, body int }{{5000, 1350}, {100_000, 550}, {1_000_000, 550}}

// scaleQueries are searches in the catalogs of [scaled]. Those with a limit run with and
// without a count.
var scaleQueries = []struct{ name, params string }{
	{"one byte", `{"q":"e","limit":50}`},
	{"two bytes", `{"q":"an","limit":50}`},
	{"three bytes", `{"q":"the","limit":50}`},
	{"97 percent", `{"q":"everywhere","limit":50}`},
	{"13 percent", `{"q":"seldomly","limit":50}`},
	{"rare", `{"q":"reconsideration","limit":50}`},
	{"absent", `{"q":"transliteration","limit":50}`},
	{"joined", `{"q":"everywheretheir","limit":50}`},
	{"phrase of common words", `{"q":"their everywhere the","limit":50}`},
	{"all of 13 percent", `{"q":"seldomly"}`},
	{"all of 97 percent", `{"q":"everywhere"}`},
}

// BenchmarkScale measures calls of the registry, including encoding the answer.
func BenchmarkScale(b *testing.B) {
	for _, scale := range scales {
		if scale.entries > 5000 && testing.Short() {
			continue
		}
		b.Run(fmt.Sprintf("entries=%d", scale.entries), func(b *testing.B) {
			registry, snapshot := scaled(b, scale.entries, scale.body)
			before, start := inUse(), time.Now()
			snapshot.BuildIndex()
			built := time.Since(start)
			b.Run("index", func(b *testing.B) {
				b.ReportMetric(built.Seconds(), "s")
				b.ReportMetric(float64(inUse()-before)/1e6, "MB")
				b.ReportMetric(float64(inUse())/1e6, "MB-in-all")
			})
			for _, q := range scaleQueries {
				b.Run(q.name, func(b *testing.B) { benchmarkCall(b, registry, q.params) })
				if uncounted, ok := strings.CutSuffix(q.params, `50}`); ok {
					b.Run(q.name+", uncounted", func(b *testing.B) { benchmarkCall(b, registry, uncounted+`50,"count":false}`) })
				}
			}
		})
	}
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

func benchmarkCall(b *testing.B, registry *rpc.Registry, params string) {
	times := make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		start := time.Now()
		if _, failure := registry.Call(context.Background(), "instructions/search", json.RawMessage(params)); failure != nil {
			b.Fatal(failure)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

// BenchmarkList measures assembling an answer with all entries.
func BenchmarkList(b *testing.B) {
	const entries = 5000
	registry, _ := scaled(b, entries, 1350)
	for b.Loop() {
		if _, failure := registry.Call(context.Background(), "instructions/list", nil); failure != nil {
			b.Fatal(failure)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entries, "ns/entry")
}

// scaled returns a registry with generated entries. Their text uses a few thousand words
// with the frequencies of a natural language.
func scaled(b *testing.B, entries, body int) (*rpc.Registry, *catalog.Snapshot) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	words := strings.Fields("the of and to in is that it for as with their be on not this are or by an")
	for len(words) < 4000 {
		word := ""
		for range 1 + random.IntN(4) {
			word += string("bcdfghlmnprst"[random.IntN(13)]) + string("aeiou"[random.IntN(5)])
		}
		words = append(words, word)
	}
	frequencies := rand.NewZipf(random, 1.1, 4, uint64(len(words)-1))
	all := make([]*catalog.Entry, entries)
	for i := range all {
		var text strings.Builder
		for text.Len() < body {
			text.WriteString(words[frequencies.Uint64()] + " ")
		}
		at, extra := random.IntN(body/2), ""
		at += strings.Index(text.String()[at:], " ")
		if i%100 < 97 {
			extra += " everywhere"
		}
		if i%100 < 13 {
			extra += " seldomly"
		}
		if i == entries/2 {
			extra += " reconsideration"
		}
		all[i] = catalog.NewEntry(catalog.Instruction{
			Body: text.String()[:at] + extra + text.String()[at:],
			ID:   catalog.ID(fmt.Sprintf("entry-number-%07d", i)), Title: "Entry of " + words[i%len(words)],
			Priority: 50, Audience: catalog.Everybody, Requirement: catalog.Recommended, Categories: []string{"scale"},
			SchemaVersion: "3", CreatedAt: "2025-01-01T00:00:00.000Z", UpdatedAt: "2025-01-01T00:00:00.000Z", Owner: "a-team",
		}, catalog.Origin{})
	}
	snapshot := catalog.NewSnapshot(all, nil)
	toolset := New(Config{Now: time.Now})
	toolset.store = catalog.NewStore(func(context.Context) (*catalog.Snapshot, error) { return snapshot, nil })
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(toolset.Toolset()); err != nil {
		b.Fatal(err)
	}
	return registry, snapshot
}
