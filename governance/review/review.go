package review

import (
	"fmt"
	"strings"

	"instruction-catalog/governance/strict"
)

// MaxPrompt is the length, in bytes as they are given, of the longest prompt
// that is reviewed.
const MaxPrompt = 10240

// Result is what the criteria have to say about a prompt.
type Result struct {
	Issues  []Issue `json:"issues"` // in the order of the criteria, at most one for each rule
	Summary Summary `json:"summary"`
	Length  int     `json:"length"` // bytes that were reviewed, null bytes not counted
}

// Issue is a rule that a prompt breaks.
type Issue struct {
	RuleID      RuleID   `json:"ruleId"`
	Category    string   `json:"category"`
	Severity    Severity `json:"severity"`
	Description string   `json:"description"`
	Match       string   `json:"match,omitempty"` // the first text that was found; absent where a text is missing
	Remediation string   `json:"remediation,omitempty"`
}

// Summary is the issues in numbers.
type Summary struct {
	Counts          Counts   `json:"counts"`
	HighestSeverity Severity `json:"highestSeverity"` // [Info] where there is no issue
}

// TooLong is the error of a prompt that has more than [MaxPrompt] bytes, none
// of which were reviewed. Its JSON is the data that the contract asks for.
type TooLong struct {
	Max    int `json:"max"`    // in bytes
	Length int `json:"length"` // in bytes
}

// Error says what the limit is and what to do.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the prompt has %d bytes and at most %d are reviewed: nothing was reviewed; send it in parts", e.Length, e.Max)
}

// Review holds the prompt against every rule. Null bytes are taken out first,
// so that none can be hidden in the middle of a word; bytes that are not UTF-8
// are left as they are. Its only error is a [*TooLong].
func (c *Criteria) Review(prompt string) (Result, error) {
	if len(prompt) > MaxPrompt {
		return Result{}, &TooLong{Max: MaxPrompt, Length: len(prompt)}
	}
	prompt = strings.ReplaceAll(prompt, "\x00", "")
	result := Result{
		Issues:  []Issue{},
		Summary: Summary{HighestSeverity: Info},
		Length:  len(prompt),
	}
	folded := strict.Fold(prompt)
	for _, r := range c.rules {
		if issue, broken := r.issue(prompt, folded); broken {
			result.Issues = append(result.Issues, issue)
			result.Summary.add(issue.Severity)
		}
	}
	return result, nil
}

func (s *Summary) add(severity Severity) {
	s.Counts.add(severity)
	if severity.Compare(s.HighestSeverity) < 0 {
		s.HighestSeverity = severity
	}
}
