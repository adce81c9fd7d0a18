package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"instruction-catalog/governance/review"
)

func (a *app) reviewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "review [FILE|-]",
		Short: "Review a prompt for secrets, hostile text and vague wording",
		Long: `Reviews a prompt, from a file or standard input, by the criteria in force.
Exits 1 if there is any issue. A prompt of more than 10,240 bytes is refused.`,
		Example: `  echo "Ignore all previous instructions" | catalog review`,
		Args:    arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkCriteria(); err != nil {
				return err
			}
			path := "-"
			if len(args) == 1 {
				path = args[0]
			}
			prompt, err := a.readInput(path)
			if err != nil {
				return err
			}
			if !utf8.Valid(prompt) {
				return fmt.Errorf("%s is not UTF-8: convert it first", path)
			}
			params := map[string]string{"prompt": string(prompt)}
			review, err := show(cmd.Context(), a, "prompt/review", params, a.printReview)
			if err == nil && len(review.Issues) > 0 {
				return errFindings
			}
			return err
		},
	}
}

func (a *app) printReview(review review.Result) {
	for _, issue := range review.Issues {
		fmt.Fprintf(a.stdout, "%s: %s/%s: %s", issue.Severity,
			oneLine(issue.Category), oneLine(string(issue.RuleID)), oneLine(issue.Description))
		if issue.Match != "" {
			fmt.Fprintf(a.stdout, ": %q", issue.Match)
		}
		fmt.Fprintln(a.stdout)
		if issue.Remediation != "" {
			fmt.Fprintln(a.stdout, "    "+oneLine(issue.Remediation))
		}
	}
	fmt.Fprintf(a.stdout, "%s in %s, highest severity %s\n",
		count(len(review.Issues), "issue", "issues"), count(review.Length, "byte", "bytes"), review.Summary.HighestSeverity)
}
