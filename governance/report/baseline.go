package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"instruction-catalog/schemas/jsonscan"
)

// Baseline holds the findings of an earlier run, to distinguish known findings from new
// ones.
type Baseline struct{ left map[string][]Finding } // by fingerprint, the findings not matched yet

// ParseBaseline parses a report in the format [JSON].
func ParseBaseline(text []byte) (*Baseline, error) {
	var report struct {
		Findings      []Finding    `json:"findings"`
		Suppressed    []Suppressed `json:"suppressed"`
		Configuration string       `json:"configuration"`
		Criteria      []string     `json:"criteria"`
	}
	const format = "this is not a report of verify --format json"
	if err := jsonscan.Check(text); err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	if err := json.Unmarshal(text, &report, json.RejectUnknownMembers(true)); err != nil {
		return nil, errors.New(format + ": it has unknown members, or a member twice: write it again")
	}
	if report.Findings == nil {
		return nil, fmt.Errorf(`%s: it has no list "findings"`, format)
	}
	b := &Baseline{left: map[string][]Finding{}}
	for i, f := range report.Findings {
		if f.Rule == "" || f.Path == "" || f.Message == "" {
			return nil, fmt.Errorf("findings[%d] has no rule, no path or no message: write the file anew with verify --format json", i)
		}
		id := f.Fingerprint()
		b.left[id] = append(b.left[id], f)
	}
	return b, nil
}

// Knows reports whether the earlier run had a finding, at f.Path or at path, under the
// current id of its rule or a former one. It matches each earlier finding only once: of two
// equal findings, the second is known only if the earlier run had two. A Binding finding is
// never known.
func (b *Baseline) Knows(f Finding, path string) bool {
	if f.Binding {
		return false
	}
	for _, p := range []string{f.Path, path} {
		for _, rule := range f.formerRules() {
			earlier := f
			earlier.Path, earlier.Rule = p, rule
			id := earlier.Fingerprint()
			if n := len(b.left[id]); n > 0 {
				b.left[id] = b.left[id][1:]
				return true
			}
		}
	}
	return false
}

// Stale returns the earlier findings that [Baseline.Knows] has not matched.
func (b *Baseline) Stale() (all []Finding) {
	for _, left := range b.left {
		all = append(all, left...)
	}
	slices.SortFunc(all, func(x, y Finding) int {
		return strings.Compare(x.Path+"\x00"+x.Message, y.Path+"\x00"+y.Message)
	})
	return all
}

// formerRules returns the rule of a finding and the ids that older versions used for it:
// review-NAME for a rule of the criteria, and one id per severity for diagnostics of files.
func (f Finding) formerRules() []Rule {
	rules := []Rule{f.Rule}
	if _, name, found := strings.Cut(string(f.Rule), "/"); found {
		rules = append(rules, Rule("review-"+name))
	}
	if f.OfFile {
		rules = append(rules, "file-error", "file-warning", "file-note")
	}
	return rules
}
