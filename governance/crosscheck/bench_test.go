package crosscheck_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// BenchmarkFind5000 checks 5,000 entries of 300 words: once all different, once all
// made from one template in which few words differ.
func BenchmarkFind5000(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	sentence := func() string {
		words := make([]string, 10)
		for i := range words {
			words[i] = fmt.Sprintf("word%d", random.IntN(5000))
		}
		return strings.Join(words, " ") + ".\n"
	}
	form := strings.Repeat("Fill this in with what your team does about it. ", 1)
	for range 29 {
		form += sentence()
	}
	for name, body := range map[string]func(i int) string{
		"different": func(int) string {
			text := ""
			for range 30 {
				text += sentence()
			}
			return text
		},
		"alike": func(i int) string { return fmt.Sprintf("%s Team %d, never %d.", form, i, i*7) },
	} {
		entries := make([]*catalog.Entry, 5000)
		for i := range entries {
			entries[i] = entry(fmt.Sprintf("e%d", i), body(i))
		}
		s := catalog.NewSnapshot(entries, nil)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				crosscheck.Find(s, crosscheck.View{
					Place: func(*catalog.Entry, int) report.Place { return report.Place{Path: "p"} },
					Quote: func(_ *catalog.Entry, part string) string { return part },
				})
			}
		})
	}
}
