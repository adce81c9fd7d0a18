package review

import (
	"fmt"
	"strings"
	"testing"
)

// oneRule returns a criteria file whose only rule, security/r, has the given members
// besides its ID.
func oneRule(members string) string {
	return `{"version": "1", "categories": [{"id": "security", "rules": [{"id": "r", ` + members + `}]}]}`
}

func mustParse(t testing.TB, file string) *Criteria {
	t.Helper()
	c, err := Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRefusedCriteria(t *testing.T) {
	t.Parallel()
	const rest = `"severity": "low", "description": "d"`
	tests := []struct {
		name, file string
		says       []string
	}{
		{"both", oneRule(`"pattern": "a", "mustContain": "b", ` + rest), []string{"rule security/r: it must have exactly one of: pattern, mustContain"}},
		{"neither", oneRule(rest), []string{"rule security/r: it must have exactly one of: pattern, mustContain"}},
		{"pattern empty", oneRule(`"pattern": "", ` + rest), []string{"rule security/r: pattern must not be empty"}},
		{"mustContain empty", oneRule(`"mustContain": "", ` + rest), []string{"rule security/r: mustContain must not be empty"}},
		{"pattern null", oneRule(`"pattern": null, ` + rest), []string{"rule security/r: pattern must be a string"}},
		{"pattern in capitals", oneRule(`"Pattern": "a", ` + rest), []string{"rule security/r: Pattern is not known"}},
		{"unknown severity", oneRule(`"pattern": "a", "severity": "fatal", "description": "d"`), []string{"rule security/r: severity must be one of", "critical"}},
		{"no severity", oneRule(`"pattern": "a", "description": "d"`), []string{"rule security/r: severity is required"}},
		{"no description", oneRule(`"pattern": "a", "severity": "low"`), []string{"rule security/r: description is required"}},
		{"unknown member", oneRule(`"pattern": "a", "flags": "g", ` + rest), []string{"rule security/r: flags is not known"}},

		{"unbalanced", oneRule(`"pattern": "a(", ` + rest), []string{"rule security/r: its pattern does not compile", `"a("`}},
		{"balanced only by a group around it", oneRule(`"pattern": "a)|(b", ` + rest), []string{"rule security/r", "does not compile", `"a)|(b"`}},
		{"look-ahead", oneRule(`"pattern": "a(?=b)", ` + rest), []string{"rule security/r", "does not compile", "RE2"}},
		{"back-reference", oneRule(`"mustContain": "(a)\\1", ` + rest), []string{"rule security/r", "does not compile"}},
		{"nothing to repeat", oneRule(`"pattern": "*", ` + rest), []string{"rule security/r", "does not compile"}},

		{"star", oneRule(`"pattern": "a*", ` + rest), []string{"rule security/r", "without reading", `"a*"`}},
		{"star required", oneRule(`"mustContain": "a*", ` + rest), []string{"rule security/r", "without reading"}},
		{"optional", oneRule(`"pattern": "(a|b)?", ` + rest), []string{"rule security/r", "without reading"}},
		{"repeated from none", oneRule(`"pattern": "a{0,3}", ` + rest), []string{"rule security/r", "without reading"}},
		{"plus of a star", oneRule(`"pattern": "(?:a*)+", ` + rest), []string{"rule security/r", "without reading"}},
		{"empty alternative", oneRule(`"pattern": "secret|", ` + rest), []string{"rule security/r", "without reading"}},
		{"anchors", oneRule(`"pattern": "^$", ` + rest), []string{"rule security/r", "without reading"}},
		{"boundary", oneRule(`"pattern": "\\b", ` + rest), []string{"rule security/r", "without reading"}},
		{"no boundary", oneRule(`"pattern": "\\B", ` + rest), []string{"rule security/r", "without reading"}},

		{"rule id twice in a category", `{"version": "1", "categories": [{"id": "c", "rules": [
			{"id": "r", "pattern": "a", ` + rest + `}, {"id": "r", "pattern": "b", ` + rest + `}]}]}`, []string{"rule c/r", "category c"}},
		{"rule id twice in two", `{"version": "1", "categories": [{"id": "c", "rules": [{"id": "r", "pattern": "a", ` + rest + `}]},
			{"id": "d", "rules": [{"id": "r", "pattern": "b", ` + rest + `}]}]}`, []string{"rule d/r", "category c"}},
		{"category twice", `{"version": "1", "categories": [{"id": "c", "rules": []}, {"id": "c", "rules": []}]}`, []string{"category c", "twice"}},
		{"every fault is named", `{"version": "1", "categories": [{"id": "c", "rules": [
			{"id": "r", "pattern": "(", ` + rest + `}, {"id": "s", "pattern": "a*", ` + rest + `}]}]}`, []string{"c/r", "c/s"}},
		{"the right rule is named", `{"version": "1", "categories": [{"id": "c", "rules": []}, {"id": "d", "rules": [
			{"id": "r", "pattern": "a", ` + rest + `}, {"id": "s", ` + rest + `}]}]}`, []string{"rule d/s:"}},

		{"rule without id", `{"version": "1", "categories": [{"id": "c", "rules": [{"pattern": "a", ` + rest + `}]}]}`, []string{"categories[0].rules[0].id is required"}},
		{"rule is no object", `{"version": "1", "categories": [{"id": "c", "rules": ["a"]}]}`, []string{"categories[0].rules[0] must be an object"}},
		{"category without rules", `{"version": "1", "categories": [{"id": "c"}]}`, []string{"categories[0].rules is required"}},
		{"no version", `{"categories": []}`, []string{"version is required"}},
		{"no object", `[]`, []string{"the file must be an object"}},
		{"null", `null`, []string{"the file must be an object"}},

		{"empty", ``, []string{"not JSON"}},
		{"trailing data", oneRule(`"pattern": "a", `+rest) + `{}`, []string{"not JSON"}},
		{"member twice", oneRule(`"pattern": "a", "pattern": "b", ` + rest), []string{`"pattern" appears twice`}},
		{"members by case", oneRule(`"pattern": "a", "PATTERN": "b", ` + rest), []string{"PATTERN is not known here"}},
		{"invalid UTF-8", oneRule("\"pattern\": \"\xff\", " + rest), []string{"line 1", "UTF-8"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := Parse([]byte(test.file))
			if err == nil || c != nil {
				t.Fatalf("got %v, %v; want an error alone", c, err)
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), ignoreCase) {
				t.Errorf("error %q shows a flag that the author did not write", err)
			}
		})
	}
}

// TestAcceptedPatterns checks that Parse accepts patterns that only seem to match
// without reading a character.
func TestAcceptedPatterns(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		`a`, `.`, `\s+`, `^a`, `a$`, `\ba`, `a*b`, `(a?)(b)`, `a{2}`, `(?:ab){1,3}`, `[a-z]`, `(?s).+`, `(?m)^#`, `(?-i)API`, `a|b`, `\x{1F600}`,
	} {
		file := oneRule(`"pattern": ` + encode(t, pattern) + `, "severity": "low", "description": "d"`)
		if _, err := Parse([]byte(file)); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	mustParse(t, "\xEF\xBB\xBF"+oneRule(`"pattern": "a", "severity": "low", "description": "d"`))
}

func BenchmarkParseCriteria(b *testing.B) {
	file := []byte(fortyRules())
	for b.Loop() {
		if _, err := Parse(file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile measures the time that Parse spends on patterns.
func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		for i := range 40 {
			if _, err := checkPattern(realistic(i)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReview(b *testing.B) {
	c := mustParse(b, fortyRules())
	const text = "Review the handler in server/registry.go and explain each branch; name the function, its callers and tests. "
	prompt := strings.Repeat(text, MaxPrompt/len(text)+1)[:MaxPrompt]
	b.SetBytes(MaxPrompt)
	for b.Loop() {
		if _, err := c.Review(b.Context(), prompt, false); err != nil {
			b.Fatal(err)
		}
	}
}

// fortyRules returns a criteria file of ordinary size.
func fortyRules() string {
	var rules []string
	for i := range 40 {
		kind := "pattern"
		if i%10 == 9 {
			kind = "mustContain"
		}
		rules = append(rules, fmt.Sprintf(`{"id": "rule-%d", %q: %q, "severity": %q, "description": "Rule number %d", "remediation": "Take it out."}`,
			i, kind, realistic(i), Severities()[i%5], i))
	}
	return `{"version": "1", "categories": [{"id": "security", "rules": [` + strings.Join(rules, ",\n") + `]}]}`
}

// realistic returns a pattern typical of criteria files.
func realistic(i int) string {
	patterns := []string{
		`(AKIA[0-9A-Z]{16}|ghp_[0-9A-Za-z]{36}|-----BEGIN (RSA |EC )?PRIVATE KEY-----)`,
		`\b(ignore|disregard|forget)\s+(all\s+)?(previous|prior|above)\s+(instructions?|rules?)\b`,
		`api[_-]?key\s*[:=]\s*\S{8,}`,
		`\b(stuff|things|somehow|etc)\b`,
		`(reveal|print|repeat)\s+(your|the)\s+(system\s+)?prompt`,
		`password\s*=\s*['"]?[^\s'"]{4,64}`,
		`\brm\s+-rf\s+/`,
		`https?://[^\s/]+\.(zip|mov|xyz)\b`,
	}
	return fmt.Sprintf("%s|term%d", patterns[i%len(patterns)], i)
}
