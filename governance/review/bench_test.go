package review

import (
	"os"
	"strings"
	"testing"
)

func builtIn(tb testing.TB) *Criteria {
	tb.Helper()
	data, err := os.ReadFile("../../docs/PROMPT-CRITERIA.json")
	if err != nil {
		tb.Fatal(err)
	}
	return mustParse(tb, string(data))
}

// filled repeats a text up to the maximum length of a prompt.
func filled(text string) string {
	return strings.ToValidUTF8(strings.Repeat(text, MaxPrompt/len(text)+1)[:MaxPrompt], "")
}

func benchmarkReview(b *testing.B, c *Criteria, prompt string) {
	if _, err := c.Review(b.Context(), prompt, false); err != nil { // the first review compiles the patterns
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Review(b.Context(), prompt, false); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReviewProse reviews ordinary prose (CONTRIBUTING.md) with the built-in
// criteria.
func BenchmarkReviewProse(b *testing.B) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkReview(b, builtIn(b), filled(string(text)))
}

// BenchmarkReviewWorst reviews the most expensive texts: keywords only, so that every
// rule is applied, or matches and near misses. It also reviews each with an invisible
// character after each word, which doubles the work.
func BenchmarkReviewWorst(b *testing.B) {
	c := builtIn(b)
	var keywords, examples strings.Builder
	for _, r := range c.rules {
		if r.keywords != nil {
			keywords.WriteString(r.keywords[0] + " ")
		}
		for _, s := range append(r.examples, r.negativeExamples...) {
			examples.WriteString(s + " ")
		}
	}
	for name, text := range map[string]string{
		"keywords": keywords.String(), "examples": examples.String() + " ",
		"letters": "a", "digits": "0", "marks": "=", "blanks": " a", "dense": "0aA=",
	} {
		b.Run(name, func(b *testing.B) { benchmarkReview(b, c, filled(text)) })
		hidden := strings.ReplaceAll(text, " ", " \u200b")
		b.Run(name+" hidden", func(b *testing.B) { benchmarkReview(b, c, filled(hidden)) })
	}
}

// BenchmarkReviewRule reviews, for each rule, texts made of its examples and of its
// near misses.
func BenchmarkReviewRule(b *testing.B) {
	c := builtIn(b)
	for i, r := range c.rules {
		if i == 10 && testing.Short() {
			return // the other rules take the same code paths
		}
		for name, all := range map[string][]string{"examples": r.examples, "near misses": r.negativeExamples} {
			if len(all) > 0 {
				text := filled(strings.Join(all, " ") + " ")
				b.Run(string(r.id)+" "+name, func(b *testing.B) { benchmarkReview(b, c, text) })
			}
		}
	}
}
