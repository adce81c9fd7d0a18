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

// filled repeats a text until it is as long as a prompt may be.
func filled(text string) string {
	return strings.ToValidUTF8(strings.Repeat(text, MaxPrompt/len(text)+1)[:MaxPrompt], "")
}

func benchmarkReview(b *testing.B, c *Criteria, prompt string) {
	if _, err := c.Review(b.Context(), prompt, false); err != nil { // the first compiles
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Review(b.Context(), prompt, false); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReviewProse reviews ordinary prose, the project's own rules for
// writing, by the project's own criteria.
func BenchmarkReviewProse(b *testing.B) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkReview(b, builtIn(b), filled(string(text)))
}

// BenchmarkReviewWorst reviews what costs the most: texts of nothing but the
// literals that the patterns begin to look at, or of what they all but match, and
// the same with an invisible character after each word, so that all is done twice.
func BenchmarkReviewWorst(b *testing.B) {
	c := builtIn(b)
	var literals, examples strings.Builder
	for _, r := range c.rules {
		for _, a := range r.anchors {
			literals.WriteString(a.literal + " ")
		}
		for _, s := range append(r.examples, r.negativeExamples...) {
			examples.WriteString(s + " ")
		}
	}
	for name, text := range map[string]string{
		"literals": literals.String(), "examples": examples.String() + " ",
		"letters": "a", "digits": "0", "marks": "=", "blanks": " a", "dense": "0aA=",
	} {
		b.Run(name, func(b *testing.B) { benchmarkReview(b, c, filled(text)) })
		hidden := strings.ReplaceAll(text, " ", " \u200b")
		b.Run(name+" hidden", func(b *testing.B) { benchmarkReview(b, c, filled(hidden)) })
	}
}

// BenchmarkReviewRule reviews, for each rule, a text of nothing but one of its
// literals, and texts of its examples and of its near misses: the worst stands there.
func BenchmarkReviewRule(b *testing.B) {
	c := builtIn(b)
	for i, r := range c.rules {
		if i == 10 && testing.Short() {
			return // one is measured as the other
		}
		texts := map[string][]string{"examples": r.examples, "near misses": r.negativeExamples}
		if r.anchors != nil {
			texts["literal"] = []string{r.anchors[0].literal}
		}
		for name, all := range texts {
			if len(all) > 0 {
				text := filled(strings.Join(all, " ") + " ")
				b.Run(string(r.id)+" "+name, func(b *testing.B) { benchmarkReview(b, c, text) })
			}
		}
	}
}

// BenchmarkScanner measures what is done once, for the first text.
func BenchmarkScanner(b *testing.B) {
	c := builtIn(b)
	b.ReportAllocs()
	for b.Loop() {
		newScanner(c.rules)
	}
}
