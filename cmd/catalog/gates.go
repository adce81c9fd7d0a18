package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/governance/gates"
)

func (a *app) gatesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "gates",
		Short: "Evaluate the policy gates of gates.json",
		Long: `Evaluates the policy gates of the catalog's gates.json, and names the first
entries for which one failed. Exits 1 if a gate of severity error fails, or one
that cannot be evaluated.`,
		Example: `  catalog gates
  catalog gates --json`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := show(cmd.Context(), a, "gates/evaluate", a.gatesParams(), a.printGates)
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

// gatesParams returns the params of gates/evaluate. It requests the offending entries
// only without --json, so that the JSON answer is the one that other clients get.
func (a *app) gatesParams() any { return map[string]bool{"offenders": !a.json} }

// gatesFailed describes how many gates failed, as in "1 of 3 gates failed".
func gatesFailed(failed, total int) string {
	if total == 0 {
		return "no gates"
	}
	return fmt.Sprintf("%d of %s failed", failed, count(total, "gate", "gates"))
}

func (a *app) printGates(report gateReport) {
	if report.NotConfigured {
		fmt.Fprintln(a.stdout, "no gates: the catalog has no gates.json")
		return
	}
	t := table{heading: []string{"GATE", "RESULT", "CONDITION", "DESCRIPTION"}, spare: []int{2}, paint: a.paintGate}
	for _, g := range report.Results {
		outcome := "passed"
		if !g.Passed {
			outcome = "failed (" + string(g.Severity) + ")"
		}
		t.rows = append(t.rows, []string{string(g.ID), outcome, g.Condition(), g.Description})
	}
	a.printTable(t)
	for _, g := range report.Results {
		if !g.Passed {
			a.explainGate(g)
		}
	}
	fmt.Fprintln(a.stdout, a.screen.paint(gatesFailed(report.Summary.Errors+report.Summary.Warnings, report.Summary.Total), faint))
}

// explainGate prints which entries made a gate fail. On a terminal it also prints the
// gate's condition, because the table may have no room for it.
func (a *app) explainGate(g gates.Result) {
	why := []string{string(g.ID)}
	if a.screen.isTerminal() {
		why = append(why, g.Condition())
	}
	if len(g.Offenders) > 0 {
		why = append(why, g.OffenderList())
	}
	if len(why) > 1 {
		fmt.Fprintln(a.stdout, oneLine(strings.Join(why, ": ")))
	}
}

// paintGate colours a cell by whether the gate passed.
func (a *app) paintGate(column int, cell string) string {
	how := style("")
	switch {
	case column == 0:
		how = bold
	case column != 1:
	case cell == "passed":
		how = green
	case cell == "failed (warn)":
		how = yellow
	default:
		how = red
	}
	return a.screen.paint(cell, how)
}
