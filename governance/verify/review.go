package verify

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/format"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
)

// checkReview reviews each entry with the criteria in force.
func (r *Run) checkReview(ctx context.Context, result *Result) ([]report.Finding, error) {
	if r.Review == review.None {
		return nil, nil
	}
	criteria, err := r.Criteria()
	if err != nil {
		return nil, err
	}
	result.Criteria = criteria.Names()
	entries := r.reviewed()
	files := map[string]bool{}
	for _, e := range r.Snapshot.Entries() {
		files[e.Origin.Path] = true
	}
	found := make([][]report.Finding, len(entries))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range entries {
		group.Go(func() error {
			ofEntry, err := r.reviewEntry(ctx, criteria, e)
			if err != nil {
				return err
			}
			ofSkill, err := r.reviewSkill(ctx, criteria, e, files)
			found[i] = slices.Concat(ofEntry, ofSkill)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// reviewed returns the entries to review: all of them, or, if r.Only is set, the entries of
// that file and of the skill whose folder contains it.
func (r *Run) reviewed() []*catalog.Entry {
	if r.Only == "" {
		return r.Snapshot.Entries()
	}
	var wanted []*catalog.Entry
	for _, e := range r.Snapshot.Entries() {
		if e.Origin.Path == r.Only || r.Source.IsSkillFolder(e) && strings.HasPrefix(r.Only, path.Dir(e.Origin.Path)+"/") {
			wanted = append(wanted, e)
		}
	}
	return wanted
}

// reviewEntry reviews the texts of an entry that an agent reads: its body, and the fields
// that search and list show, unless the body contains their text.
func (r *Run) reviewEntry(ctx context.Context, criteria *review.Criteria, e *catalog.Entry) ([]report.Finding, error) {
	body := e.Body.Text()
	var found []report.Finding
	for _, part := range []struct{ name, text string }{
		{"", body}, {"title", e.Title}, {"semanticSummary", e.SemanticSummary}, {"rationale", e.Instruction().Rationale},
		{"categories", strings.Join(e.Categories, "\n")},
	} {
		if part.name != "" && strings.Contains(body, part.text) {
			continue
		}
		issues, err := r.reviewPart(ctx, criteria, e, part.name, part.text)
		if err != nil {
			return nil, err
		}
		found = append(found, issues...)
	}
	return found, nil
}

// reviewSkill reviews the text files in the folder of an entry's SKILL.md, because agents
// read them if SKILL.md says so. It skips files that cannot be read, are not text, or are
// entries themselves.
func (r *Run) reviewSkill(ctx context.Context, criteria *review.Criteria, e *catalog.Entry, entries map[string]bool) (found []report.Finding, err error) {
	from := r.Source
	if r.Source.IsBundle() || !from.IsSkillFolder(e) {
		return nil, nil
	}
	names, err := from.SkillFiles(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file := path.Join(path.Dir(e.Origin.Path), name)
		text, err := from.ReadSkillFile(e, name)
		if !format.MayBeEntry(file) && path.Ext(file) != ".txt" || err != nil || !utf8.Valid(text) || entries[file] {
			continue
		}
		result, _, err := criteria.ReviewText(ctx, string(text))
		if err != nil {
			return nil, err
		}
		for _, f := range result.Findings(string(text)) {
			if len(f.Spans) > 0 && f.Unlowered.AtLeast(r.Review) {
				found = append(found, r.reviewFinding(e, f, r.place(file, f.Line), "review"))
			}
		}
	}
	return found, nil
}

// reviewRule returns the id that verify uses for a rule of the criteria.
func reviewRule(category string, id review.RuleID) report.Rule {
	return report.Rule(category + "/" + string(id))
}

// reviewRisks maps each review severity to a risk score from 0 to 10.
var reviewRisks = map[review.Severity]float64{review.Critical: 9.5, review.High: 8, review.Medium: 5.5, review.Low: 3, review.Info: 0.5}

// ReviewRules returns the documentation of the rules of criteria.
func ReviewRules(criteria *review.Criteria) (all []report.RuleDoc) {
	for _, r := range criteria.Rules() {
		d := report.RuleDoc{
			ID: reviewRule(r.Category, r.ID), Severity: report.Note, Finds: r.Description, Hit: r.Example, NearMiss: r.NearMiss,
			Repair: r.Remediation, Risk: reviewRisks[r.Severity],
		}
		if r.Severity.AtLeast(review.High) {
			d.Severity = report.Error
		}
		all = append(all, d)
	}
	return all
}

// reviewPart reviews text, which is the value of field, or the body if field is "".
func (r *Run) reviewPart(ctx context.Context, criteria *review.Criteria, e *catalog.Entry, field, text string) ([]report.Finding, error) {
	result, _, err := criteria.ReviewText(ctx, text)
	if err != nil {
		return nil, err
	}
	var found []report.Finding
	for _, f := range result.Findings(text) {
		switch {
		case !f.Unlowered.AtLeast(r.Review), field != "" && len(f.Spans) == 0: // only the body must contain required texts
		case field != "":
			found = append(found, r.reviewFinding(e, f, r.place(e.Origin.Path, max(e.Origin.Line, 1)), "review of "+field))
		default:
			found = append(found, r.reviewFinding(e, f, r.bodyPlace(e, f.Line), "review"))
		}
	}
	return found, nil
}

// reviewFinding converts a finding of the review to a finding of verify.
func (r *Run) reviewFinding(e *catalog.Entry, f review.Finding, at report.Place, of string) report.Finding {
	severity := report.Error
	if !f.Severity.AtLeast(r.Review) { // lowered because the text is quoted or described
		severity = report.Note
	}
	message := fmt.Sprintf("%s: %s: %s", of, f.Severity, report.OneLine(f.Describe()))
	if f.Remediation != "" {
		message += ": " + f.Remediation
	}
	var also []report.Rule
	for _, name := range f.Also {
		also = append(also, report.Rule(name))
	}
	return report.Finding{
		Rule: reviewRule(f.Category, f.RuleID), Severity: severity, Entry: e.ID,
		Place: at, Match: f.Match, Message: message, Also: also, Grave: f.Severity.AtLeast(review.High),
	}
}
