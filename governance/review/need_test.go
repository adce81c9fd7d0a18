package review

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"instruction-catalog/governance/strict"
)

func TestNeedOf(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`ignore`:                       "ignore",
		`(?-i:AKIA)[A-Z0-9]{16}`:       "(akia)",
		`\b(?:ignore|forget)\s+\w+ it`: "((ignore|forget)& it)",
		`(?:ab|forget)`:                "", // ab is too short
		`(?:forget)?x`:                 "",
		`(?:forget){0,3}x`:             "",
		`(?:forget){2,}`:               "forget",
		`(?:forget)+`:                  "forget",
		`a.*instructions?`:             "(instruction)",
		`don[’']t tell`:                "(don&t tell)",
		`straße|忽略.`:                   "(straße|(忽略))",
		`[a-z]+`:                       "",
	} {
		_, got, err := compilePattern(pattern)
		if err != nil || got.String() != strict.Fold(want) {
			t.Errorf("%s: got %s, %v, want %s", pattern, got, err, strict.Fold(want))
		}
	}
}

// FuzzNeed: what a pattern matches holds what it needs.
func FuzzNeed(f *testing.F) {
	for _, seed := range [][2]string{
		{`\b(?:ignore|disregard)\s+all`, "please IGNORE  all"}, {`kiss`, "\u212Aiſs"}, {`(?-i:DAN) mode`, "DAN mode"},
		{`(a|bcd)(efg|x)`, "bcdefg"}, {`straße`, "STRAẞE"}, {`(?:abc){1,2}d?`, "abcabcd"}, {`[Kk]elvin|celsius`, "\u212AELVIN"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, prompt string) {
		re, err := regexp.Compile(ignoreCase + pattern)
		if err != nil {
			return
		}
		_, need, err := compilePattern(pattern)
		if err == nil && re.MatchString(prompt) && !need.metBy(strict.Fold(prompt)) {
			t.Errorf("%q matches %q, which does not hold %s", pattern, prompt, need)
		}
	})
}

// BenchmarkReviewProse reviews ordinary prose, the project's own rules for
// writing, by the project's own criteria.
func BenchmarkReviewProse(b *testing.B) {
	data, err := os.ReadFile("../../docs/PROMPT-CRITERIA.json")
	if err != nil {
		b.Fatal(err)
	}
	criteria, err := Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		b.Fatal(err)
	}
	prompt := strings.Repeat(string(text), 10)[:MaxPrompt]
	for _, prefilter := range []string{"with needs", "without"} {
		b.Run(prefilter, func(b *testing.B) {
			for b.Loop() {
				if _, err := criteria.Review(prompt); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, r := range criteria.rules {
			r.need = nil
		}
	}
}

// String writes the need as a formula.
func (n *need) String() string {
	switch {
	case n == nil:
		return ""
	case n.all != nil:
		return join(n.all, "&")
	case n.any != nil:
		return join(n.any, "|")
	}
	return n.literal
}

func join(needs []*need, operator string) string {
	texts := make([]string, len(needs))
	for i, n := range needs {
		texts[i] = n.String()
	}
	return "(" + strings.Join(texts, operator) + ")"
}
