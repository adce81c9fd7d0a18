package verify

import (
	"context"

	"instruction-catalog/governance/report"
)

// checkFiles reports the diagnostics of loading: files without an entry, and entries with
// values that differ from those in their file.
func (r *Run) checkFiles(context.Context, *Result) ([]report.Finding, error) {
	var found []report.Finding
	for _, d := range r.Snapshot.Diagnostics() {
		f := report.Finding{
			Rule: report.Rule(d.Rule), Severity: report.Severity(d.Severity),
			Place: r.place(d.Path, d.Line), Message: d.Message, OfFile: true,
		}
		if d.Other != "" {
			f.Related = []report.Place{r.place(d.Other, 0)}
		}
		f.Whole = f.Rule == NoEntries
		found = append(found, f)
	}
	return found, nil
}
