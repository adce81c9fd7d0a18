package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules [RULE]",
		Short: "Explain the rules of verify and review",
		Long: `Lists the rules of verify, including those of the criteria for prompts, with their
severities. With RULE, it explains one: what it finds, an example, a similar case that
is correct, and what to do. RULE is an id, or a prefix that ends in a slash.

A comment <!-- catalog:ignore RULE reason --> in a Markdown file suppresses a rule;
.catalog/config.json changes it. See "catalog verify --help".`,
		Example: `  catalog rules
  catalog rules link/dead
  catalog rules injection/ --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := a.allRules()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listRules(rules)
			}
			return a.explainRules(rules, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
			rules, _ := a.allRules()
			for _, r := range rules {
				ids = append(ids, string(r.ID)+"\t"+r.Finds)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// allRules returns all rules of verify, including those of the review criteria.
func (a *app) allRules() ([]report.RuleDoc, error) {
	criteria, err := a.catalogCriteria(false)
	if err != nil {
		return nil, err
	}
	return slices.Concat(verify.Rules(), verify.ReviewRules(criteria)), nil
}

func (a *app) listRules(rules []report.RuleDoc) error {
	if a.json {
		return a.printValue(map[string]any{"rules": rules})
	}
	t := table{heading: []string{"RULE", "SEVERITY", "FINDS"}, spare: []int{2}, paint: a.paintRule}
	for _, r := range rules {
		t.rows = append(t.rows, []string{string(r.ID), string(r.Severity), r.Finds})
	}
	a.printTable(t)
	fmt.Fprintln(a.stdout, a.screen.paint(count(len(rules), "rule", "rules"), faint))
	return nil
}

func (a *app) paintRule(column int, cell string) string {
	switch column {
	case 0:
		return a.screen.paint(cell, bold)
	case 1:
		return a.screen.paintSeverity(cell)
	}
	return cell
}

func (a *app) explainRules(rules []report.RuleDoc, key string) error {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r report.RuleDoc) bool { return !verify.Covers(key, r.ID) })
	if len(rules) == 0 {
		return fmt.Errorf("there is no rule %q: `catalog rules` lists all", key)
	}
	if a.json {
		return a.printValue(map[string]any{"rules": rules})
	}
	for i, r := range rules {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", a.screen.paint(oneLine(string(r.ID)), bold), a.screen.paintSeverity(string(r.Severity)))
		for _, part := range []struct{ name, text string }{
			{"finds", r.Finds}, {"example", r.Hit}, {"not found", r.NearMiss}, {"what to do", r.Repair}, {"source", r.Source},
		} {
			if part.text != "" {
				head := fmt.Sprintf("  %-11s ", part.name+":")
				fmt.Fprintln(a.stdout, a.screen.wrapAfter(head, oneLine(part.text), strings.Repeat(" ", len(head))))
			}
		}
	}
	return nil
}
