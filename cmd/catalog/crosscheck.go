package main

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// checkBetween tells of what is wrong between entries.
func (v *verification) checkBetween(ctx context.Context) ([]report.Finding, error) {
	return crosscheck.Find(v.snapshot, crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place { return v.bodyPlace(e, max(line, 1)) },
		Quote: func(e *catalog.Entry, part string) string { return v.quote(ctx, e, part) },
	}), nil
}

// quote returns a part of an entry's body with the secrets in it redacted, and nothing
// of it where the criteria that tell them cannot be had.
func (v *verification) quote(ctx context.Context, e *catalog.Entry, part string) string {
	criteria, err := v.criteriaInForce()
	if err != nil {
		return "…"
	}
	redact, err := criteria.Redactor(ctx, e.Body.Text())
	if err != nil {
		return "…"
	}
	return redact(part)
}
