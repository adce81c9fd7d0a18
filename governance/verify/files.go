package verify

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// checkFiles reports files that became no entry, or one with other values than
// they have. Where a diagnostic names no rule, that is file-error, file-warning or file-note.
func (r *Run) checkFiles(context.Context, *Result) ([]report.Finding, error) {
	var found []report.Finding
	for _, d := range r.Snapshot.Diagnostics() {
		f := report.Finding{
			Rule: report.Rule("file-" + d.Severity), Severity: report.Severity(d.Severity),
			Place: r.place(d.Path, d.Line), Message: d.Message, OfFile: true,
		}
		if d.Rule != "" {
			f.Rule = report.Rule(d.Rule)
		}
		if d.Other != "" {
			f.Related = []report.Place{r.place(d.Other, 0)}
		}
		if r.tellsOfNoEntries(d) {
			f.Rule, f.Whole = NoEntries, true
		}
		found = append(found, f)
	}
	return found, nil
}

// tellsOfNoEntries reports whether a diagnostic is the one about a catalog that
// has no entry: about the folder itself, or the bundle.
func (r *Run) tellsOfNoEntries(d catalog.Diagnostic) bool {
	return len(r.Snapshot.Entries()) == 0 && d.Severity == catalog.SeverityWarning && d.Line == 0 &&
		(d.Path == "." || d.Path == r.Source.Base())
}
