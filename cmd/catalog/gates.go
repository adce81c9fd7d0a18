package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/gates"
	"instruction-catalog/governance/report"
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

// The rules about gates: a condition that the catalog does not keep, and one that
// cannot be evaluated.
const (
	ruleGateFailed report.Rule = "gate-failed"
	ruleGateBroken report.Rule = "gate-broken"
)

// checkGates tells of the gates that failed.
func (v *verification) checkGates(ctx context.Context) (found []report.Finding, err error) {
	if v.gates, err = v.callOn(ctx, v.registry, "gates/evaluate", struct{}{}); err != nil {
		return nil, err
	}
	var result gateReport
	if err := json.Unmarshal(v.gates, &result); err != nil {
		return nil, err
	}
	v.gateCount = result.Summary.Total
	for _, g := range result.Results {
		if !g.Passed {
			found = append(found, v.gateFinding(g))
		}
	}
	return found, nil
}

func (v *verification) gateFinding(g gates.Result) report.Finding {
	f := report.Finding{
		Rule: ruleGateFailed, Severity: report.Error, Place: report.Place{Path: v.gatesPath()},
		Message: fmt.Sprintf("gate %q failed: %s", g.ID, condition(g)), Match: string(g.ID), Whole: true,
	}
	switch {
	case g.Error != "":
		f.Rule = ruleGateBroken
	case g.Severity == gates.SeverityWarn:
		f.Severity, f.Word = report.Warning, string(g.Severity)
	}
	return f
}

// gatesPath is where the gates are that are evaluated.
func (a *app) gatesPath() string {
	if own, err := source.New(a.dir).Gates(); own != nil || err != nil {
		return path.Join(a.folder(), filepath.Base(a.dir))
	}
	return path.Join(a.folder(), gates.File)
}
