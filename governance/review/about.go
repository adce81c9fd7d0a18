package review

// RuleAbout is what people may want to know of a rule.
type RuleAbout struct {
	ID          RuleID
	Category    string
	Severity    Severity
	Description string
	Remediation string
	Example     string // the first text that it finds; "" where the file has none
	NearMiss    string // the first that it does not; "" where the file has none
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
