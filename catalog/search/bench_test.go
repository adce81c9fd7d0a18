package search

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The benchmarks' texts are 5,000 of about 1.8 KB. They hold the words of the
// queries as often as benchQueries says.
const benchTexts = 5000

var benchQueries = []struct {
	name, q string
	every   int // one text in so many; 0: none
}{
	{"absent", "xylowaxquartz", 0},
	{"rare", "Quuxification", 1000},
	{"occasional", "wyxwork", 50},
	{"common", "wexflow", 3},
	{"absent-compound", "", 0}, // see compounds
	{"absent-worst", "", 0},
	{"three-bytes-absent", "qwx", 0},
	{"two-bytes-absent", "xq", 0},
	{"two-bytes-rare", "Qu", 1000},
	{"two-bytes-common", "an", 1},
	{"one-byte-common", "e", 1},
	{"empty", "", 1},
}

func benchCorpus() []Text {
	texts := newAuthor(1, 4000).texts(benchTexts, 1800)
	for _, c := range benchQueries {
		if c.every < 2 || len(c.q) < 3 {
			continue
		}
		for i := c.every / 2; i < len(texts); i += c.every {
			middle := strings.IndexByte(texts[i].Body[900:], ' ') + 900
			texts[i].Body = texts[i].Body[:middle] + " " + c.q + texts[i].Body[middle:]
		}
	}
	return texts
}

// compounds returns, of the words joined from two words of a text that no text
// holds, the two that leave the median and the greatest number of candidates.
func compounds(x *Index, texts []Text) (median, worst string) {
	words := strings.FieldsFunc(Fold(texts[0].Body), func(r rune) bool { return r < 'a' || r > 'z' })
	left := map[string]int{}
	for _, a := range words[:40] {
		for _, b := range words[:40] {
			if q := a + b; len(q) >= 8 && len(x.find(q)) == 0 {
				left[q] = x.candidates(q)
			}
		}
	}
	sorted := slices.SortedFunc(maps.Keys(left), func(a, b string) int {
		return cmp.Or(cmp.Compare(left[a], left[b]), strings.Compare(a, b))
	})
	return sorted[len(sorted)/2], sorted[len(sorted)-1]
}

func BenchmarkNew(b *testing.B) {
	texts := benchCorpus()
	size := 0
	for _, t := range texts {
		size += len(t.Title) + len(t.Body)
	}
	for _, procs := range []int{1, 2} {
		b.Run(map[int]string{1: "one-core", 2: "two-cores"}[procs], func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			b.SetBytes(int64(size))
			var x *Index
			for b.Loop() {
				x = indexOf(texts)
			}
			b.ReportMetric(float64(x.Size())/float64(size), "index-bytes/text-byte")
		})
	}
}

// BenchmarkFind has, beside each query, its floor: one pass of bytes.Contains
// over all folded texts, building the same answer.
func BenchmarkFind(b *testing.B) {
	texts := benchCorpus()
	x := indexOf(texts)
	folded := foldAll(texts)
	median, worst := compounds(x, texts)
	b.Log(median, worst, x.candidates(median), x.candidates(worst))
	for _, c := range benchQueries {
		q := c.q
		switch c.name {
		case "absent-compound":
			q = median
		case "absent-worst":
			q = worst
		}
		if want := scanAll(folded, Fold(q)); !slices.Equal(x.find(q), want) {
			b.Fatalf("Find(%q) = %v, want %v", q, x.find(q), want)
		}
		b.Run(c.name+"/index", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Find(q).Count()
			}
			b.ReportMetric(float64(x.Find(q).Count()), "found")
		})
		b.Run(c.name+"/scan", func(b *testing.B) {
			q := Fold(q)
			for b.Loop() {
				scanAll(folded, q)
			}
		})
	}
}

// foldAll folds texts, end to end in memory.
func foldAll(texts []Text) []Text {
	var all strings.Builder
	for _, t := range texts {
		all.WriteString(Fold(t.Title) + Fold(t.Body))
	}
	folded, rest := make([]Text, len(texts)), all.String()
	for i, t := range texts {
		title, end := len(Fold(t.Title)), len(Fold(t.Title))+len(Fold(t.Body))
		folded[i], rest = Text{rest[:title], rest[title:end]}, rest[end:]
	}
	return folded
}

func scanAll(folded []Text, q string) []int {
	found := []int{}
	for i := range folded {
		if strings.Contains(folded[i].Title, q) || strings.Contains(folded[i].Body, q) {
			found = append(found, i)
		}
	}
	return found
}

func BenchmarkFold(b *testing.B) {
	a := newAuthor(1, 4000)
	english := a.prose(100_000)
	for _, c := range []struct{ name, text string }{
		{"ascii", english},
		{"one-in-thirty-beyond", strings.ReplaceAll(english, "ea", "é")},
		{"german", strings.Repeat("Größe der Übergabe: Maße in Füßen, Länge des Schlüssels. ", 1500)},
		{"greek", strings.Repeat("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ", 1500)},
		{"cyrillic", strings.Repeat("Съешь ещё этих мягких французских булок. ", 1500)},
		{"chinese", strings.Repeat("用户指南：请先阅读本文。", 3000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			var f folder
			var dst []byte
			for b.Loop() {
				dst = f.append(dst[:0], c.text)
			}
		})
	}
}

// BenchmarkExcerpts looks for what stands somewhere in the texts, each excerpt once
// in a round, so that p95 is over what may be asked and not over one question's times.
func BenchmarkExcerpts(b *testing.B) {
	texts := benchCorpus()
	x := indexOf(texts)
	for _, length := range []int{3, 4, 5, 6, 8, 12, 20} {
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			queries, times := excerpts(texts, length, 1000), []time.Duration{}
			for b.Loop() {
				for _, q := range queries {
					start := time.Now()
					x.Find(q)
					times = append(times, time.Since(start))
				}
			}
			slices.Sort(times)
			for _, percent := range []int{50, 95, 99} {
				at := times[len(times)*percent/100]
				b.ReportMetric(float64(at)/float64(time.Microsecond), fmt.Sprintf("p%d-µs", percent))
			}
		})
	}
}

// excerpts returns different excerpts of texts.
func excerpts(texts []Text, length, count int) []string {
	random := rand.New(rand.NewPCG(uint64(length), 1))
	queries := map[string]bool{}
	for range count {
		body := pick(random, texts).Body
		start := random.IntN(len(body) - length)
		queries[body[start:][:length]] = true
	}
	return slices.Sorted(maps.Keys(queries))
}
