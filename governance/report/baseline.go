package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"instruction-catalog/schemas/jsonscan"
)

// Baseline has the findings of an earlier run, which are known and no longer news.
type Baseline struct{ left map[string][]Finding } // by fingerprint, those that have not been met yet

// ParseBaseline reads a report that was written as [JSON].
func ParseBaseline(text []byte) (*Baseline, error) {
	var report struct {
		Findings      []Finding    `json:"findings"`
		Suppressed    []Suppressed `json:"suppressed"`
		Configuration string       `json:"configuration"`
		Criteria      []string     `json:"criteria"`
	}
	const format = "this is no report of verify --format json"
	if err := jsonscan.Check(text); err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	if err := json.Unmarshal(text, &report, json.RejectUnknownMembers(true)); err != nil {
		return nil, errors.New(format + ": it has members that no report has, or a member twice: write it anew")
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

// Knows reports whether a finding is one of the earlier run, each of which is met
// once: the second of two that look alike is known only if there were two. No
// finding is known that is Binding. The earlier run may have had the file at another
// path, which was taken from elsewhere, and the rule under the id that it had before.
func (b *Baseline) Knows(f Finding, path string) bool {
	if f.Binding {
		return false
	}
	for _, p := range []string{f.Path, path} {
		for _, rule := range []Rule{f.Rule, f.Rule.before()} {
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

// Stale returns the findings that were not met.
func (b *Baseline) Stale() (all []Finding) {
	for _, left := range b.left {
		all = append(all, left...)
	}
	slices.SortFunc(all, func(x, y Finding) int {
		return strings.Compare(x.Path+"\x00"+x.Message, y.Path+"\x00"+y.Message)
	})
	return all
}

// before returns the id that versions up to 1.5 had for a rule of the criteria.
func (r Rule) before() Rule {
	_, name, found := strings.Cut(string(r), "/")
	if !found {
		return r
	}
	return Rule("review-" + name)
}
