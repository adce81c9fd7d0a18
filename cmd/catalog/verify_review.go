package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
)

// noReview is what --review and --fail-on say for no severity at all.
const noReview = "none"

// checkReviewSeverity refuses what is no severity of a rule, and not none.
func checkReviewSeverity(flag, name string) error {
	if name == noReview || slices.Contains(review.Severities(), review.Severity(name)) {
		return nil
	}
	return fmt.Errorf("%s: %q is none of %s, %s", flag, name, report.List(review.Severities()), noReview)
}

// reaches reports whether a severity is as bad as the one that a flag names.
func reaches(s review.Severity, flag string) bool {
	return flag != noReview && s.Compare(review.Severity(flag)) <= 0
}

// checkReview holds each entry against the criteria in force.
func (v *verification) checkReview(ctx context.Context) ([]report.Finding, error) {
	if v.options.review == noReview {
		return nil, nil
	}
	criteria, err := v.criteria()
	if err != nil {
		return nil, err
	}
	v.criteriaNames = criteria.Names()
	entries := v.snapshot.Entries()
	found := make([][]report.Finding, len(entries))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range entries {
		group.Go(func() (err error) {
			found[i], err = v.reviewEntry(ctx, criteria, e)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// reviewEntry reviews what an agent reads of an entry: its body, and what search and
// list show of it, unless that is taken from the body.
func (v *verification) reviewEntry(ctx context.Context, criteria *review.Criteria, e *catalog.Entry) ([]report.Finding, error) {
	body := e.Body.Text()
	found, err := v.reviewPart(ctx, criteria, e, "", body)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct{ name, text string }{
		{"title", e.Title}, {"semanticSummary", e.SemanticSummary}, {"rationale", e.Instruction().Rationale},
	} {
		if strings.Contains(body, part.text) {
			continue
		}
		more, err := v.reviewPart(ctx, criteria, e, part.name, part.text)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// reviewPart reviews the field of that name, "" for the body.
func (v *verification) reviewPart(ctx context.Context, criteria *review.Criteria, e *catalog.Entry, field, text string) ([]report.Finding, error) {
	result, _, err := criteria.ReviewText(ctx, text)
	if err != nil {
		return nil, err
	}
	var found []report.Finding
	for _, issue := range result.Issues {
		if !reaches(issue.Severity, v.options.review) || field != "" && len(issue.Spans) == 0 { // a title need not say it all
			continue
		}
		for _, p := range placesOf(issue, text) {
			place, message := v.bodyPlace(e, p.line), "review: "+p.says(issue)
			if field != "" {
				place, message = v.place(e.Origin.Path, max(e.Origin.Line, 1)), "review of "+field+": "+p.says(issue)
			}
			if issue.Remediation != "" {
				message += ": " + issue.Remediation
			}
			found = append(found, report.Finding{
				Rule: report.Rule("review-" + issue.RuleID), Severity: report.Error, Entry: e.ID,
				Place: place, Match: p.match, Message: message, About: issue.Description,
			})
		}
	}
	return found, nil
}

// reviewPlace is where a text breaks a rule.
type reviewPlace struct {
	line  int    // from 1
	match string // "" where a text is missing
}

// placesOf returns the places of an issue in a text, each line once.
func placesOf(issue review.Issue, text string) []reviewPlace {
	if len(issue.Spans) == 0 {
		return []reviewPlace{{line: 1}}
	}
	var all []reviewPlace
	line, at := 1, 0
	for i, span := range issue.Spans {
		line += strings.Count(text[at:span.Start], "\n")
		at = span.Start
		if n := len(all); n == 0 || all[n-1].line != line {
			all = append(all, reviewPlace{line, issue.Matches[i]})
		}
	}
	return all
}

// says is what there is to say about an issue at a place, on one line.
func (p reviewPlace) says(issue review.Issue) string {
	return fmt.Sprintf("%s: %s", issue.Severity, p.tells(issue))
}

// tells is the same without how bad it is.
func (p reviewPlace) tells(issue review.Issue) string {
	text := fmt.Sprintf("%s/%s: %s", issue.Category, issue.RuleID, issue.Description)
	if p.match != "" {
		text += fmt.Sprintf(": %q", p.match)
	}
	return oneLine(text)
}
