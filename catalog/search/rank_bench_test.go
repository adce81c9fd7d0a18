package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// benchDocuments are n generated documents of about 1.8 KB, in 4,000 words.
func benchDocuments(n int) (documents []Document, bytes int) {
	for i, t := range newAuthor(1, 4000).texts(n, 1800) {
		id := strings.ToLower(strings.Join(strings.Fields(t.Title)[:2], "-"))
		d := Document{ID: fmt.Sprintf("%s-%d", id, i), Title: t.Title, Categories: "alpha beta", Body: t.Body}
		documents = append(documents, d)
		bytes += d.size()
	}
	return documents, bytes
}

// BenchmarkNewRanking reports how many bytes the index takes for each byte of
// text. Package bench has it for more and other documents.
func BenchmarkNewRanking(b *testing.B) {
	documents, bytes := benchDocuments(benchTexts)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("on-%d", workers), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			var r *Ranking
			for b.Loop() {
				r = newRanking(documentsOf(documents), workers)
			}
			b.ReportMetric(float64(r.Size())/float64(bytes), "index-bytes/text-byte")
		})
	}
}

func BenchmarkRank(b *testing.B) {
	documents, _ := benchDocuments(benchTexts)
	r := NewRanking(documentsOf(documents))
	for _, q := range benchRankQueries(r) {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				found = len(r.Rank(q.text).Hits)
			}
			b.ReportMetric(float64(found), "found")
		})
	}
}

type benchRankQuery struct{ name, text string }

// benchRankQueries are made of words by how many documents have them.
func benchRankQueries(r *Ranking) []benchRankQuery {
	words := make([]int, r.words.len())
	for i := range words {
		words[i] = i
	}
	frequency := func(word int) int { return int(r.starts[word+1] - r.starts[word]) }
	slices.SortStableFunc(words, func(a, b int) int { return frequency(b) - frequency(a) })
	at := func(places ...int) string {
		var text []string
		for _, place := range places {
			text = append(text, r.words.word(words[place]))
		}
		return strings.Join(text, " ") + "."
	}
	var all []int
	for place := range maxTerms {
		all = append(all, place)
	}
	return []benchRankQuery{
		{"absent", "xylowaxquartz quuxification."},
		{"rare", at(3000, 3200)},
		{"typical", at(60, 400, 900)},
		{"common", at(0, 1, 2)},
		{"beginning", "sta"},
		{"longest", at(all...)}, // the most words, and the most common
	}
}
