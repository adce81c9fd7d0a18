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

// Run checks one catalog. Source, Snapshot, Criteria, Review and Now are required.
type Run struct {
	Source   *source.Source
	Snapshot *catalog.Snapshot // loaded from Source
	Folder   string            // folder of the catalog, joined to the paths of findings; "" for none
	// Criteria returns the criteria to review bodies with.
	Criteria func() (*review.Criteria, error)
	// Review is the lowest severity at which findings of the criteria are errors.
	// [review.None] skips the review.
	Review review.Severity
	Now    time.Time

	// Only is the path of the single file to check, or "" to check all files. The findings
	// may include some about other files.
	Only string

	Key      *sum.PublicKey        // key that must have signed the catalog; nil if none is required
	Progress func(done, total int) // called as files are read; may be nil
}

// Result holds the findings of a run, before suppression.
type Result struct {
	Findings []report.Finding
	Gates    int      // number of evaluated gates
	Criteria []string // the names of the criteria that entries were reviewed by
}

// check returns findings about a catalog. It returns an error only if the check cannot run;
// problems of the catalog are findings.
type check func(*Run, context.Context, *Result) ([]report.Finding, error)

// checks lists all checks, in the order in which their findings are shown. Each check is in
// the file named after its subject.
var checks = []check{
	(*Run).checkFiles,
	(*Run).checkDrift,
	(*Run).checkBetween,
	(*Run).checkGates,
	(*Run).checkSum,
	(*Run).checkReview,
}

// Find runs all checks. It stops at the first error.
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

// Rules returns the documentation of all rules, including those of the criteria. If no
// review is requested, it omits criteria that cannot be read; otherwise that is an error.
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

// Judge applies a policy, and the comments in the entries, to the findings. It sets Rules
// and Now of the policy. It returns an error if [Policy.Check] does.
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

// LooksFor reports whether the run checks for a key, which is the id of a rule or a prefix
// of ids.
func (r *Run) LooksFor(key string) bool {
	criteria, err := r.Criteria()
	if err != nil {
		return false
	}
	return r.Review != review.None || !slices.ContainsFunc(ReviewRules(criteria), func(d report.RuleDoc) bool { return Covers(key, d.ID) })
}

// place returns the location of a line of a file in the folder of the catalog.
func (r *Run) place(within string, line int) report.Place {
	return report.Place{Path: path.Join(r.Folder, within), Line: line}
}

// entryPlace returns the location of the beginning of an entry.
func (r *Run) entryPlace(e *catalog.Entry) report.Place {
	return r.place(e.Origin.Path, e.Origin.FirstLine())
}

// bodyPlace returns the location of a line, from 1, of an entry's body. If the body is a
// JSON or TOML string, it returns the line of that string in the file.
func (r *Run) bodyPlace(e *catalog.Entry, line int) report.Place {
	at := r.entryPlace(e)
	if ext := path.Ext(e.Origin.Path); e.Origin.Line == 0 && ext != ".json" && ext != ".toml" {
		at.Line += line - 1
	}
	return at
}
