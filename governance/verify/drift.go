package verify

import (
	"context"
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// checkDrift reports bodies that are not what their hash was taken of.
func (r *Run) checkDrift(ctx context.Context, _ *Result) ([]report.Finding, error) {
	progress := r.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	drifts, err := r.Snapshot.Verify(ctx, r.Source.Reread, progress)
	if err != nil {
		return nil, err
	}
	var found []report.Finding
	for _, d := range drifts {
		e, _ := r.Snapshot.Get(string(d.ID))
		found = append(found, report.Finding{
			Rule: Drift, Severity: report.Error, Place: r.entryPlace(e), Message: explainDrift(d),
			Match: string(d.ID), Entry: d.ID, Binding: true,
		})
	}
	return found, nil
}

func explainDrift(d catalog.Drift) string {
	if d.Actual == "" {
		return fmt.Sprintf("drift: the file of %s is gone or no instruction any more", d.ID)
	}
	return fmt.Sprintf("drift: the body of %s has hash %s and should have %s: review the change, then record the new hash or none",
		d.ID, d.Actual, d.Expected)
}
