package main

import (
	"fmt"

	"instruction-catalog/governance/gates"

	"github.com/spf13/cobra"
)

func (a *app) gatesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "gates",
		Short: "Evaluate the policy gates of gates.json",
		Long: `Evaluates the policy gates of the catalog's gates.json. Exits 1 if a gate of
severity error fails, or one that cannot be evaluated.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := show(cmd.Context(), a, "gates/evaluate", struct{}{}, a.printGates)
			if err == nil && report.Summary.Errors > 0 {
				return errFindings
			}
			return err
		},
	}
}

type gateReport struct {
	NotConfigured bool
	Results       []gates.Result
	Summary       gates.Summary
}

// failed says how many gates did: "1 of 3 gates".
func (r *gateReport) failed() string {
	return fmt.Sprintf("%d of %s", r.Summary.Errors+r.Summary.Warnings, count(r.Summary.Total, "gate", "gates"))
}

// condition says what was asked and found: "3 >= 5".
func condition(g gates.Result) string {
	if g.Error != "" {
		return g.Error
	}
	return fmt.Sprintf("%d %s %d", g.Count, g.Op, g.Value)
}

func (a *app) printGates(report gateReport) {
	if report.NotConfigured {
		fmt.Fprintln(a.stdout, "no gates: the catalog has no gates.json")
		return
	}
	rows := [][]string{{"GATE", "RESULT", "CONDITION", "DESCRIPTION"}}
	for _, g := range report.Results {
		outcome := "passed"
		if !g.Passed {
			outcome = "failed (" + string(g.Severity) + ")"
		}
		rows = append(rows, []string{string(g.ID), outcome, condition(g), g.Description})
	}
	printTable(a.stdout, rows...)
	fmt.Fprintln(a.stdout, report.failed()+" failed")
}
