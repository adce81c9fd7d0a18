package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/gates"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
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

// gatesParams ask for what a person is shown. With --json, the answer is the one that
// every client gets.
func (a *app) gatesParams() any { return map[string]bool{"offenders": !a.json} }

// gatesFailed says how many gates did: "1 of 3 gates failed".
func gatesFailed(failed, total int) string {
	if total == 0 {
		return "no gates"
	}
	return fmt.Sprintf("%d of %s failed", failed, count(total, "gate", "gates"))
}

// condition says what was found and asked: "3 >= 5".
func condition(g gates.Result) string {
	switch {
	case g.Error != "":
		return g.Error
	case g.Actual != nil:
		return fmt.Sprintf("%s %s %s", actual(g), g.Op, g.Value)
	}
	return fmt.Sprintf("%d %s %s", g.Count, g.Op, g.Value)
}

// actual is what was computed, with 15 digits: 0.1 and 0.2 add up to a little more than
// 0.3. It has all of them where that is why the gate failed.
func actual(g gates.Result) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(*g.Actual, 'g', 15, 64), 64) // which has just been written
	if value, err := g.Value.Float64(); !g.Passed && err == nil && rounded == value {
		rounded = *g.Actual
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// offenders names the entries for which a gate failed: "a, b and 3 more", "" where
// there are none.
func offenders(g gates.Result) string {
	names := make([]string, len(g.Offenders))
	for i, id := range g.Offenders {
		names[i] = string(id)
	}
	listed := strings.Join(names, ", ")
	switch more := int(g.Count) - len(names); {
	case len(names) < gates.MaxOffenders || g.Actual == nil && more == 0:
		return listed
	case g.Actual == nil:
		return fmt.Sprintf("%s and %d more", listed, more)
	}
	return listed + " and perhaps more"
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
		t.rows = append(t.rows, []string{string(g.ID), outcome, condition(g), g.Description})
	}
	a.printTable(t)
	for _, g := range report.Results {
		if !g.Passed {
			a.explainGate(g)
		}
	}
	fmt.Fprintln(a.stdout, a.screen.paint(gatesFailed(report.Summary.Errors+report.Summary.Warnings, report.Summary.Total), faint))
}

// explainGate says which entries are the reason why a gate failed, and on a
// terminal, whose table may have no room for it, what was asked of them.
func (a *app) explainGate(g gates.Result) {
	why := []string{string(g.ID)}
	if a.screen.isTerminal() {
		why = append(why, condition(g))
	}
	if len(g.Offenders) > 0 {
		why = append(why, offenders(g))
	}
	if len(why) > 1 {
		fmt.Fprintln(a.stdout, oneLine(strings.Join(why, ": ")))
	}
}

// paintGate shows in colours whether a gate holds.
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

// checkGates tells of the gates that failed.
func (v *verification) checkGates(ctx context.Context) (found []report.Finding, err error) {
	if v.Gates, err = v.callOn(ctx, v.registry, "gates/evaluate", v.gatesParams()); err != nil {
		return nil, err
	}
	var result gateReport
	if err := json.Unmarshal(v.Gates, &result); err != nil {
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
		Rule: verify.GateFailed, Severity: report.Error, Place: report.Place{Path: v.gatesPath()},
		Message: fmt.Sprintf("gate %q failed: %s", g.ID, condition(g)), Match: string(g.ID), Whole: true,
	}
	if len(g.Offenders) > 0 {
		f.Message += ": " + offenders(g)
		f.Match += ": " + offenders(g) // another one is news, whatever a baseline knows
		for _, id := range g.Offenders {
			if e, ok := v.snapshot.Get(string(id)); ok {
				f.Related = append(f.Related, v.entryPlace(e))
			}
		}
	}
	switch {
	case g.Error != "":
		f.Rule = verify.GateBroken
	case g.Severity == gates.SeverityWarn:
		f.Severity = report.Warning
	}
	return f
}

// gatesPath is where the gates are that are evaluated.
func (a *app) gatesPath() string {
	if a.isBundle() {
		if own, err := source.NewBundle(a.dir).Gates(); own != nil || err != nil {
			return path.Join(a.folder(), filepath.Base(a.dir))
		}
	}
	return path.Join(a.folder(), catalog.GatesFile)
}
