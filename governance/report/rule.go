package report

import "strings"

// Rule is the id of a rule, such as "drift" or "link/dead": lower-case words joined by
// hyphens, with a prefix and a slash for a group of rules. Ids never change between
// versions of the program, because baselines and suppressions refer to them.
type Rule string

// RuleDoc documents a rule. All texts are plain text.
type RuleDoc struct {
	ID       Rule     `json:"id"`
	Severity Severity `json:"severity"` // the default severity
	Finds    string   `json:"finds"`    // what the rule looks for, in one sentence
	Hit      string   `json:"hit"`      // an example that the rule reports
	NearMiss string   `json:"nearMiss"` // a similar example that the rule does not report
	Repair   string   `json:"repair"`   // what to do
	Source   string   `json:"source"`   // a URL, or "" for a rule of this project

	// Risk is how much an attacker gains from the problem, from 0 to 10 as in CVSS. It is 0
	// for rules that are not about attacks.
	Risk float64 `json:"-"`
}

// Help returns how to fix a finding of the rule, with an example that the rule reports and
// one that it does not.
func (d RuleDoc) Help() string {
	text := d.Repair
	if d.Hit != "" {
		text += " Found: " + d.Hit
	}
	if d.NearMiss != "" {
		text += " In order: " + d.NearMiss
	}
	return strings.TrimSpace(text)
}
