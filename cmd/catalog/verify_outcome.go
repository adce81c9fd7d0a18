package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
	"instruction-catalog/governance/verify"
)

// textFormat is the format for people. The other formats are those of package report.
const textFormat report.Format = "text"

var verifyFormats = append([]report.Format{textFormat}, report.Formats...)

// outcome holds the findings of a verify run in all catalogs.
type outcome struct {
	options    verifyOptions
	baseline   *report.Baseline // nil if no baseline is given
	findings   []report.Finding // the findings that are counted
	suppressed []report.Suppressed

	entries, gates   int
	criteria         []string
	rules            []report.RuleDoc
	configurations   []string
	tops             []repository
	known, unchanged int     // numbers of findings hidden by the baseline and by --since
	methods          methods // results for the only catalog of --json
}

func (o *outcome) readBaseline() (err error) {
	if o.options.baseline == "" {
		return nil
	}
	if o.baseline, err = verify.ReadBaseline(o.options.baseline); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	return nil
}

// add adds the result of verifying one catalog.
func (o *outcome) add(ctx context.Context, v *verification) error {
	concerned := func(report.Finding) bool { return true }
	if o.options.since != "" {
		changed, err := v.changedSince(ctx, o.options.since)
		if err != nil {
			return err
		}
		concerned = changed.concerns
	}
	o.entries += len(v.run.Snapshot.Entries())
	o.gates += v.Gates
	for _, name := range v.Criteria {
		if !slices.Contains(o.criteria, name) {
			o.criteria = append(o.criteria, name)
		}
	}
	for _, f := range v.Findings {
		switch {
		case o.baseline != nil && o.baseline.Knows(f, v.repository.fromTop(f.Path)):
			o.known++
		case !concerned(f):
			o.unchanged++
		default:
			o.findings = append(o.findings, f)
		}
	}
	o.suppressed = append(o.suppressed, v.suppressed...)
	o.tops = append(o.tops, v.repository)
	if line := v.repository.says(len(v.suppressed)); line != "" && !slices.Contains(o.configurations, line) {
		o.configurations = append(o.configurations, line)
	}
	o.methods = v.methods
	rules, err := v.run.Rules()
	if err != nil {
		return err
	}
	o.rules = slices.Concat(o.rules, rules)
	return nil
}

// addStale adds a warning for each finding in the baseline that no longer occurs, if
// this run would have found it.
func (o *outcome) addStale() {
	if o.baseline == nil || o.options.since != "" {
		return
	}
	for _, f := range o.baseline.Stale() {
		if f.Severity == report.Note || o.options.review == string(review.None) && strings.HasPrefix(string(f.Rule), "review-") {
			continue
		}
		o.findings = append(o.findings, report.Finding{
			Rule: verify.StaleBaseline, Severity: report.Warning, Place: report.Place{Path: filepath.ToSlash(o.options.baseline)},
			Match: f.Fingerprint(), Message: fmt.Sprintf("%s is known here and no longer found (%s): write the baseline again", f.Place, f.Rule),
		})
	}
}

// fails reports whether a finding makes the run fail.
func (o *outcome) fails(f report.Finding) bool {
	if f.Rule == verify.NoEntries {
		return !o.options.allowEmpty
	}
	return f.Severity.AtLeast(report.Severity(o.options.failOn))
}

func (o *outcome) write(a *app) error {
	if a.json {
		return a.printValue(struct {
			methods
			Findings []report.Finding `json:"findings,omitempty"` // findings that the results of the two methods do not include
			Criteria []string         `json:"criteria,omitempty"`
		}{o.methods, slices.DeleteFunc(slices.Clone(o.findings), isOfMethods), o.criteria})
	}
	format := report.Format(o.options.format)
	if format == textFormat {
		o.writeText(a)
		return nil
	}
	return report.Report{
		Version: version, Findings: o.findingsFromTop(format == report.JSON), Suppressed: o.suppressedFromTop(), Fails: o.fails,
		Rules: o.rules, Summary: o.summary(), Criteria: o.criteria, Configuration: o.configuration(),
	}.Write(a.stdout, format)
}

// findingsFromTop returns the findings with paths relative to the top of their
// repository. It includes notes if notes is true or --notes is given.
func (o *outcome) findingsFromTop(notes bool) (all []report.Finding) {
	for _, f := range o.findings {
		if f.Severity != report.Note || notes || o.options.notes {
			all = append(all, o.fromTop(f))
		}
	}
	return all
}

func (o *outcome) suppressedFromTop() []report.Suppressed {
	all := slices.Clone(o.suppressed)
	for i := range all {
		all[i].Finding = o.fromTop(all[i].Finding)
		all[i].By.Path = o.tops[0].fromTop(all[i].By.Path)
	}
	return all
}

func (o *outcome) fromTop(f report.Finding) report.Finding {
	for _, s := range o.tops {
		if path := s.fromTop(f.Path); path != f.Path || len(o.tops) == 1 {
			f.Path = path
			f.Related = slices.Clone(f.Related)
			for i := range f.Related {
				f.Related[i].Path = s.fromTop(f.Related[i].Path)
			}
			break
		}
	}
	return f
}

// isOfMethods reports whether the results of the two methods already include f.
func isOfMethods(f report.Finding) bool {
	return f.OfFile || slices.Contains([]report.Rule{verify.NoEntries, verify.Drift, verify.GateFailed, verify.GateBroken}, f.Rule)
}
