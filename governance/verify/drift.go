package verify

import (
	"context"
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// checkDrift reports bodies that do not match their recorded hash.
func (r *Run) checkDrift(ctx context.Context, _ *Result) ([]report.Finding, error) {
	progress := r.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	drifts, err := r.Snapshot.Verify(ctx, r.reread, progress)
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

// reread reads the bodies again from their files. If r.Only is set, it reads only that file
// and uses the loaded bodies of other entries.
func (r *Run) reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	if r.Only == "" {
		return r.Source.Reread(ctx, entries, found)
	}
	var wanted []*catalog.Entry
	for _, e := range entries {
		if e.Origin.Path == r.Only {
			wanted = append(wanted, e)
		} else {
			found(e.ID, e.Body.Text())
		}
	}
	return r.Source.Reread(ctx, wanted, found)
}

func explainDrift(d catalog.Drift) string {
	if d.Actual == "" {
		return fmt.Sprintf("drift: the file of %s is gone or no longer an instruction", d.ID)
	}
	return fmt.Sprintf("drift: the body of %s has hash %s and should have %s: review the change, then run catalog hash --write",
		d.ID, d.Actual, d.Expected)
}
