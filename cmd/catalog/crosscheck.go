package main

import (
	"context"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// checkBetween tells of what is wrong between entries.
func (v *verification) checkBetween(ctx context.Context) ([]report.Finding, error) {
	return crosscheck.Find(v.snapshot, crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place { return v.bodyPlace(e, max(line, 1)) },
		Quote: v.quoter(ctx),
	}), nil
}

// quoter returns a function that quotes bodies without the secrets in them. It reviews
// each once, for a body may be quoted a thousand times.
func (v *verification) quoter(ctx context.Context) func(e *catalog.Entry, part string) string {
	var mu sync.Mutex
	redactors := map[*catalog.Entry]func(string) string{}
	return func(e *catalog.Entry, part string) string {
		mu.Lock()
		defer mu.Unlock()
		if redactors[e] == nil {
			redactors[e] = v.redactor(ctx, e)
		}
		return redactors[e](part)
	}
}

// redactor returns what redacts the secrets of an entry's body, and everything where the
// criteria that tell them cannot be had.
func (v *verification) redactor(ctx context.Context, e *catalog.Entry) func(part string) string {
	everything := func(string) string { return "…" }
	criteria, err := v.criteria()
	if err != nil {
		return everything
	}
	redact, err := criteria.Redactor(ctx, e.Body.Text())
	if err != nil {
		return everything
	}
	return redact
}
