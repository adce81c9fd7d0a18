package report

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"instruction-catalog/schemas/jsonscan"
)

// Baseline has the findings of an earlier run, which are known and no longer news.
type Baseline struct{ left map[string]int } // by fingerprint, how many have not been met yet

// ParseBaseline reads a report that was written as [JSON].
func ParseBaseline(text []byte) (*Baseline, error) {
	var report struct {
		Findings []Finding `json:"findings"`
		Criteria []string  `json:"criteria"`
	}
	if err := jsonscan.Check(text); err != nil {
		return nil, fmt.Errorf("this is no report of verify --format json: %w", err)
	}
	if err := json.Unmarshal(text, &report, json.RejectUnknownMembers(true)); err != nil {
		return nil, errors.New("this is no report of verify --format json: it has other members than one, or a member twice")
	}
	if report.Findings == nil {
		return nil, fmt.Errorf(`this is no report of verify --format json: it has no list "findings"`)
	}
	b := &Baseline{left: map[string]int{}}
	for i, f := range report.Findings {
		if f.Rule == "" || f.Path == "" || f.Message == "" {
			return nil, fmt.Errorf("findings[%d] has no rule, no path or no message: write the file anew with verify --format json", i)
		}
		b.left[f.Fingerprint()]++
	}
	return b, nil
}

// Knows reports whether a finding is one of the earlier run, each of which is met
// once: the second of two that look alike is known only if there were two. No
// finding is known that is Binding.
func (b *Baseline) Knows(f Finding) bool {
	id := f.Fingerprint()
	if f.Binding || b.left[id] == 0 {
		return false
	}
	b.left[id]--
	return true
}
