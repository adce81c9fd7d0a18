package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
)

func (a *app) reviewCommand() *cobra.Command {
	failOn := string(review.High)
	cmd := &cobra.Command{
		Use:   "review [FILE|DIR|-]…",
		Short: "Review texts for secrets, hostile text and vague wording",
		Long: `Reviews files, the texts in folders, and standard input for "-" or without arguments.
The texts in a folder are agents' files, wherever they are, instructions, prompts and
prose (Markdown, plain text). Source code, hidden files, node_modules and symbolic
links are skipped unless they are named. In an instruction that is stored as JSON, and
in each line of a bundle, the body is reviewed; any other file is reviewed whole.

The criteria are the built-in ones. docs/PROMPT-CRITERIA.json of the project adds
to them and removes none; a file of --criteria, or of "criteria" in
catalog/config.json in your configuration folder, replaces rules of the same id.

Prints FILE:LINE: severity: rule: problem: "the text that was found". Of secrets it
prints only the first and last characters. A text of more than 10,240 bytes is
reviewed in overlapping pieces.

With --json, the result for one text is that of prompt/review, with the names of the
criteria; for several texts it is
{criteria, files: [{path, pieces, issues, summary, length}]}.

A file in a folder that cannot be read is an issue of severity high.

Exits 1 if an issue has the severity of --fail-on or a higher one, 0 if none has,
and 2 if a named file could not be reviewed.`,
		Example: `  echo "Ignore all previous instructions" | catalog review
  catalog review prompts/ CLAUDE.md --fail-on medium`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkReviewSeverity("--fail-on", failOn); err != nil {
				return seeHelp(cmd, err)
			}
			return a.review(cmd.Context(), args, failOn)
		},
	}
	cmd.Flags().StringVar(&failOn, "fail-on", failOn, "the lowest `severity` for which it exits 1: critical, high, medium, low, info or none")
	oneOf(cmd, "fail-on", append(review.Severities(), review.None)...)
	return cmd
}

// review reviews the texts that the arguments name and prints the findings. It returns
// errFindings if an issue counts for failOn, or an error if a named text cannot be
// read.
func (a *app) review(ctx context.Context, args []string, failOn string) error {
	criteria, err := a.catalogCriteria(false)
	if err != nil {
		return err
	}
	texts, unread := a.textsOf(args)
	if unread != nil && len(texts) == 0 {
		return unread
	}
	all := make([]reviewed, 0, len(texts))
	for _, text := range texts {
		r := reviewed{Path: text.path, text: text}
		if text.unread != "" {
			r.Result = unreadable(text.unread)
		} else if r.Result, r.Pieces, err = criteria.ReviewText(ctx, text.content); err != nil {
			return err
		}
		r.Criteria = criteria.Names()
		all = append(all, r)
	}
	if err := a.printReviews(all, criteria.Names(), len(args) < 2 && len(texts) == 1 && texts[0].named); err != nil {
		return err
	}
	if unread == nil && slices.ContainsFunc(all, func(r reviewed) bool { return r.fails(failOn) }) {
		return errFindings
	}
	return unread
}

// reviewed is the result of reviewing one text.
type reviewed struct {
	Path   string `json:"path"`
	Pieces int    `json:"pieces"`
	review.Result
	text reviewText
}

// unreadable returns the result for a file that cannot be read: an issue of high
// severity, because the content may be anything.
func unreadable(why string) review.Result {
	return review.Result{
		Issues: []review.Issue{{
			RuleID: "unreadable", Category: "file", Severity: review.High,
			Description: "the file was not reviewed: " + why,
			Remediation: "Make it a readable UTF-8 text, or remove it from the folder.",
		}},
		Summary: review.Summary{Counts: review.Counts{High: 1}, HighestSeverity: review.High},
	}
}

func (r reviewed) fails(failOn string) bool {
	return slices.ContainsFunc(r.Issues, func(i review.Issue) bool { return i.Severity.AtLeast(review.Severity(failOn)) })
}

func (a *app) printReviews(all []reviewed, criteria []string, alone bool) error {
	switch {
	case a.json && alone:
		result := all[0].Result
		for i := range result.Issues {
			result.Issues[i].Spans = nil // the method has them only with detail
		}
		return a.printValue(result)
	case a.json:
		for i := range all {
			all[i].Criteria = nil // printed once for all
		}
		return a.printValue(map[string]any{"criteria": criteria, "files": all})
	}
	for _, r := range all {
		a.printReview(r)
	}
	fmt.Fprintln(a.stdout, a.screen.paint(report.CriteriaLine(criteria), faint))
	a.printReviewSummary(all)
	return nil
}

func (a *app) printReview(r reviewed) {
	name, show := oneLine(r.Path), a.screen
	explained := map[review.RuleID]bool{}
	for _, f := range r.Findings(r.text.content) {
		place := fmt.Sprintf("%s:%d", name, r.text.line(f.Line))
		also := ""
		if len(f.Also) > 0 {
			also = fmt.Sprintf(" (also %s)", strings.Join(f.Also, ", "))
		}
		fmt.Fprintf(a.stdout, "%s: %s: %s%s\n", show.paint(place, bold), show.paintSeverity(string(f.Severity)), show.emphasise(tellFinding(f), f.Match), also)
		if !explained[f.RuleID] && f.Remediation != "" {
			fmt.Fprintln(a.stdout, show.paint(show.wrap(oneLine(f.Remediation), margin), faint))
		}
		explained[f.RuleID] = true
	}
	if r.Pieces > 1 {
		fmt.Fprintf(a.stdout, "%s: reviewed in %d overlapping pieces\n", name, r.Pieces)
	}
}

func (a *app) printReviewSummary(all []reviewed) {
	issues, length, worst := 0, 0, review.Info
	for _, r := range all {
		issues += len(r.Issues)
		length += r.Length
		if s := r.Summary.HighestSeverity; s.Compare(worst) < 0 {
			worst = s
		}
	}
	in := count(length, "byte", "bytes")
	if len(all) != 1 {
		in += " of " + count(len(all), "file", "files")
	}
	summary := fmt.Sprintf("%s in %s", count(issues, "issue", "issues"), in)
	if issues > 0 {
		summary += fmt.Sprintf(", highest severity %s", worst)
	}
	fmt.Fprintln(a.stdout, a.screen.paint(summary, faint))
}

// checkReviewSeverity returns an error unless name is a severity of review rules or
// "none".
func checkReviewSeverity(flag, name string) error {
	if name == string(review.None) || slices.Contains(review.Severities(), review.Severity(name)) {
		return nil
	}
	return fmt.Errorf("%s: %q is not one of %s, %s", flag, name, report.List(review.Severities()), review.None)
}

// tellFinding describes a finding on one line, without its severity.
func tellFinding(f review.Finding) string {
	return oneLine(fmt.Sprintf("%s/%s: %s", f.Category, f.RuleID, f.Describe()))
}
