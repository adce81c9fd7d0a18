package main

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// checkBetween tells of what is wrong between entries.
func (v *verification) checkBetween(context.Context) ([]report.Finding, error) {
	return crosscheck.Find(v.snapshot, func(e *catalog.Entry, line int) report.Place {
		return v.bodyPlace(e, max(line, 1))
	}), nil
}
