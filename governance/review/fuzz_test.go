package review

import (
	"slices"
	"testing"
)

// FuzzCriteria checks that criteria are either rejected or work: an issue has a match
// unless its rule requires a text, and no prompt within the limit is rejected.
func FuzzCriteria(f *testing.F) {
	f.Add([]byte(sample), "things AKIA0123456789ABCDEF!! todo")
	f.Add([]byte(oneRule(`"pattern": "a|(?s:.)+b\\b", "severity": "low", "description": "d"`)), "xx\nb\xff")
	f.Add([]byte(oneRule(`"pattern": "(?-i)\\x00|^", "severity": "low", "description": "d"`)), "\x00")
	f.Add([]byte(oneRule(`"mustContain": "\\pL{2}(?:a*)+", "severity": "low", "description": "d"`)), "é")
	f.Add([]byte(`{"version": "1", "categories": [{"id": "c", "rules": [1, {}]}, 2]}`), "")
	f.Add([]byte(oneRule(`"pattern": "a", "PATTERN": "b"`)+"]"), "a")
	f.Fuzz(func(t *testing.T, file []byte, prompt string) {
		c, err := Parse(file)
		if (c == nil) == (err == nil) {
			t.Fatalf("got %v, %v: want one of them", c, err)
		}
		if err != nil {
			return
		}
		review, err := c.Review(t.Context(), prompt, false)
		if (err != nil) != (len(prompt) > MaxPrompt) {
			t.Errorf("%d bytes: %v", len(prompt), err)
		}
		for _, issue := range review.Issues {
			i := slices.IndexFunc(c.rules, func(r *rule) bool { return r.id == issue.RuleID })
			if required := c.rules[i].required; required == (issue.Match != "") {
				t.Errorf("issue %+v of a rule with required %t", issue, required)
			}
		}
		if err == nil {
			checkContract(t, review)
		}
	})
}
