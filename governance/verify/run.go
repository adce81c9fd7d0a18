package verify

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
	"instruction-catalog/governance/sum"
)

// Run checks one catalog. The fields before Key are required.
type Run struct {
	Source   *source.Source
	Snapshot *catalog.Snapshot // loaded from Source
	Folder   string            // of the catalog, which the paths of findings begin with; "" for none
	// Criteria returns the rules that bodies are reviewed by.
	Criteria func() (*review.Criteria, error)
	// Review is the least severity of a rule of the criteria whose findings are errors;
	// [review.None] skips the review.
	Review review.Severity
	Now    time.Time

	// Only is the path of the one file whose findings are wanted; "" for those of all. Others
	// may be found with them.
	Only string

	Key      *sum.PublicKey        // that must have signed the catalog; nil for none
	Progress func(done, total int) // called as files are read; nil for nothing
}

// Result holds the findings of a run, before anything is suppressed.
type Result struct {
	Findings []report.Finding
	Gates    int      // that were evaluated
	Criteria []string // the names of the criteria that entries were reviewed by
}

// check is a source of findings about a catalog. An error is for what cannot be checked
// at all; what is wrong with the catalog is a finding.
type check func(*Run, context.Context, *Result) ([]report.Finding, error)

// checks are all of them, in the order in which their findings are shown. Each is in
// the file of its subject.
var checks = []check{
	(*Run).checkFiles,
	(*Run).checkDrift,
	(*Run).checkBetween,
	(*Run).checkGates,
	(*Run).checkSum,
	(*Run).checkReview,
}

// Find runs all checks.
func (r *Run) Find(ctx context.Context) (result Result, err error) {
	for _, find := range checks {
		found, err := find(r, ctx, &result)
		if err != nil {
			return Result{}, err
		}
		result.Findings = append(result.Findings, found...)
	}
	return result, nil
}

// Rules returns all rules, with those of the criteria. The criteria may be unreadable
// if nothing is reviewed.
func (r *Run) Rules() ([]report.RuleDoc, error) {
	criteria, err := r.Criteria()
	switch {
	case err == nil:
		return slices.Concat(Rules(), ReviewRules(criteria)), nil
	case r.Review == review.None:
		return Rules(), nil
	}
	return nil, err
}

// Judge applies a policy, and the comments in the entries, to the findings. It sets the
// rules and the time of the policy.
func (r *Run) Judge(p Policy, found []report.Finding) (Verdict, error) {
	rules, err := r.Rules()
	if err != nil {
		return Verdict{}, err
	}
	p.Rules, p.Now = rules, r.Now
	if err := p.Check(); err != nil {
		return Verdict{}, fmt.Errorf("%s: %w", p.ConfigPath, err)
	}
	var texts []Text
	for _, e := range r.Snapshot.Entries() {
		if at := r.bodyPlace(e, 2); at.Line > r.bodyPlace(e, 1).Line { // it is Markdown
			texts = append(texts, Text{Path: at.Path, FirstLine: at.Line - 1, Body: e.Body.Text()})
		}
	}
	return p.Judge(found, texts), nil
}

// LooksFor reports whether the run looks for the findings of a key, which is the id of
// a rule or a prefix of ids.
func (r *Run) LooksFor(key string) bool {
	criteria, err := r.Criteria()
	if err != nil {
		return false
	}
	return r.Review != review.None || !slices.ContainsFunc(ReviewRules(criteria), func(d report.RuleDoc) bool { return Covers(key, d.ID) })
}

// place is a line of a file in the folder of the catalog.
func (r *Run) place(within string, line int) report.Place {
	return report.Place{Path: path.Join(r.Folder, within), Line: line}
}

// entryPlace is where an entry begins.
func (r *Run) entryPlace(e *catalog.Entry) report.Place {
	return r.place(e.Origin.Path, e.Origin.FirstLine())
}

// bodyPlace is a line of an entry's body, from 1. In a file where the body is a string
// of JSON or TOML it is the line of that string.
func (r *Run) bodyPlace(e *catalog.Entry, line int) report.Place {
	at := r.entryPlace(e)
	if ext := path.Ext(e.Origin.Path); e.Origin.Line == 0 && ext != ".json" && ext != ".toml" {
		at.Line += line - 1
	}
	return at
}
