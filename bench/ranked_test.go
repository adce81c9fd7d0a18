package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	index "instruction-catalog/catalog/search/ranked"
)

// BenchmarkRanked measures ranked search in process: the index that the first
// one builds, and queries of three words that generated entries have.
func BenchmarkRanked(b *testing.B) {
	for _, n := range []int{5000, 100_000} {
		documents, bytes := rankedDocuments(n)
		b.Run(fmt.Sprintf("%d/index", n), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			var built *index.Index
			before := heap()
			for b.Loop() {
				built = index.New(len(documents), func(i int) index.Document { return documents[i] }, nil)
			}
			b.ReportMetric(float64(heap()-before)/float64(bytes), "index-bytes/text-byte")
			runtime.KeepAlive(built)
		})
		built := index.New(len(documents), func(i int) index.Document { return documents[i] }, nil)
		b.Run(fmt.Sprintf("%d/query", n), func(b *testing.B) {
			a := newAuthor(7, 0)
			var took []time.Duration
			for b.Loop() {
				query := strings.Join([]string{a.word("verb"), a.word("adjective"), a.word("noun")}, " ")
				start := time.Now()
				built.Rank(query)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

func rankedDocuments(n int) (documents []index.Document, bytes int) {
	for block := range (n + blockEntries - 1) / blockEntries {
		g := newGenerator(formOf(n), n, 1, block)
		for i := g.first; i < g.end; i++ {
			d, _ := g.entry(i)
			categories := strings.Join(d.Categories, " ")
			documents = append(documents, index.Document{ID: d.ID, Title: d.Title, Categories: categories, Body: d.Body})
			bytes += len(d.ID) + len(d.Title) + len(categories) + len(d.Body)
		}
	}
	return documents, bytes
}

// heap returns how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
