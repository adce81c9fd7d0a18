package review

// RuleAbout describes a rule for display.
type RuleAbout struct {
	ID          RuleID
	Category    string
	Severity    Severity
	Description string
	Remediation string
	Example     string // the first example of a text that breaks the rule; "" if the file has none
	NearMiss    string // the first example of a text that does not break it; "" if the file has none
}

// Rules returns the rules, in the order in which they are applied.
func (c *Criteria) Rules() (all []RuleAbout) {
	first := func(texts []string) string {
		if len(texts) == 0 {
			return ""
		}
		return texts[0]
	}
	for _, r := range c.rules {
		all = append(all, RuleAbout{
			r.id, r.category, r.severity, r.description, r.remediation, first(r.examples), first(r.negativeExamples),
		})
	}
	return all
}
