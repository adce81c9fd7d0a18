package review

import (
	"slices"
	"strings"
	"testing"
)

// brokenRules returns the rules that a text breaks as id/severity, in order.
func brokenRules(t *testing.T, c *Criteria, text string) string {
	t.Helper()
	result, err := c.Review(t.Context(), text, true)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, issue := range result.Issues {
		all = append(all, string(issue.RuleID)+"/"+string(issue.Severity))
	}
	return strings.Join(all, " ")
}

func TestMerge(t *testing.T) {
	t.Parallel()
	parse := func(name, rules string) *Criteria {
		c, err := Parse([]byte(`{"version": "1", "categories": [{"id": "a", "rules": [` + rules + `]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return c.Named(name)
	}
	const word = `{"id": "word", "pattern": "word", "severity": "high", "description": "D"}`
	own := parse(BuiltIn, word+`,{"id": "other", "pattern": "other", "severity": "low", "description": "D"}`)
	silent := parse("theirs", `{"id": "word", "pattern": "never seen", "severity": "info", "description": "D"}, {"id": "more", "pattern": "text", "severity": "low", "description": "D"}`)
	for _, c := range []struct {
		name     string
		criteria *Criteria
		want     string
		names    []string
	}{
		{"alone", own, "word/high other/low", []string{BuiltIn}},
		{"added", own.Add(silent), "word/high other/low more/low", []string{BuiltIn, "theirs"}},
		{"the same added", own.Add(parse("theirs", word)), "word/high other/low", []string{BuiltIn, "theirs"}},
		{"a milder one added", own.Add(parse("theirs", strings.Replace(word, "high", "info", 1))), "word/high other/low", []string{BuiltIn, "theirs"}},
		{"a graver one added", own.Add(parse("theirs", strings.Replace(word, "high", "critical", 1))), "word/high other/low word/critical", []string{BuiltIn, "theirs"}},
		{"replaced", own.Replace(silent), "other/low more/low", []string{BuiltIn, "theirs"}},
		{"replaced in place", own.Replace(parse("mine", strings.Replace(word, "high", "info", 1))), "word/info other/low", []string{BuiltIn, "mine"}},
		{"all of the id replaced", own.Add(parse("theirs", strings.Replace(word, "high", "critical", 1))).Replace(silent), "other/low more/low", []string{BuiltIn, "theirs", "theirs"}},
	} {
		if got := brokenRules(t, c.criteria, "word other text"); got != c.want || !slices.Equal(c.criteria.Names(), c.names) {
			t.Errorf("%s: got %q by %q, want %q by %q", c.name, got, c.criteria.Names(), c.want, c.names)
		}
	}
	if got := brokenRules(t, own, "word other text"); got != "word/high other/low" {
		t.Errorf("afterwards: %q", got)
	}
}
