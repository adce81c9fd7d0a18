package verify

import (
	"context"
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/gates"
	"instruction-catalog/governance/report"
)

// checkGates reports the gates that failed.
func (r *Run) checkGates(_ context.Context, result *Result) (found []report.Finding, err error) {
	text, err := r.Source.Gates()
	policy := gates.Of(r.Snapshot, text, err)
	if policy == nil {
		return nil, nil
	}
	evaluation := policy.Evaluate(gates.NewTable(r.Snapshot), r.Now)
	result.Gates = evaluation.Summary.Total
	for _, g := range evaluation.Results {
		if !g.Passed {
			found = append(found, r.gateFinding(g))
		}
	}
	return found, nil
}

func (r *Run) gateFinding(g gates.Result) report.Finding {
	f := report.Finding{
		Rule: GateFailed, Severity: report.Error, Place: r.gatesPlace(g.Line()),
		Message: fmt.Sprintf("gate %q failed: %s", g.ID, g.Condition()), Match: string(g.ID), Whole: true,
	}
	if len(g.Offenders) > 0 {
		f.Message += ": " + g.OffenderList()
		f.Match += ": " + g.OffenderList() // a new offender makes a new finding, even if the baseline has one for this gate
		for _, id := range g.Offenders {
			if e, ok := r.Snapshot.Get(string(id)); ok {
				f.Related = append(f.Related, r.entryPlace(e))
			}
		}
	}
	switch {
	case g.Error != "":
		f.Rule = GateBroken
	case g.Severity == gates.SeverityWarn:
		f.Severity = report.Warning
	}
	return f
}

// gatesPlace returns the location of a line of gates.json, or of the bundle that contains
// the gates.
func (r *Run) gatesPlace(line int) report.Place {
	if r.Source.CarriesGates() {
		return r.place(r.Source.Base(), 0)
	}
	return r.place(catalog.GatesFile, line)
}
