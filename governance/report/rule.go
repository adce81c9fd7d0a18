package report

import "strings"

// Rule names what is looked for, such as "drift" or "link/dead": lower case, words
// joined with hyphens, a kind before a slash where there are several of it. It is the
// same in every version of the program, for baselines and suppressions name it.
type Rule string

// RuleDoc explains a rule. All texts are sentences or examples of plain text.
type RuleDoc struct {
	ID       Rule     `json:"id"`
	Severity Severity `json:"severity"` // unless something lowers or raises it
	Finds    string   `json:"finds"`    // what the rule looks for, in one sentence
	Hit      string   `json:"hit"`      // an example of what it finds
	NearMiss string   `json:"nearMiss"` // and of what looks like it, and is in order
	Repair   string   `json:"repair"`   // what to do
	Source   string   `json:"source"`   // an address, or "" where the rule is our own

	// Risk is how much an attacker gains by what the rule finds, from 0 to 10 as in CVSS;
	// 0 for rules that are not about attacks.
	Risk float64 `json:"-"`
}

// Help says what to do about a finding of the rule, with an example of what is found and
// of what is not.
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
