package verify

import (
	"context"
	"fmt"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// checkBetween reports problems between entries, such as dead links.
func (r *Run) checkBetween(ctx context.Context, _ *Result) ([]report.Finding, error) {
	tree, err := r.tree(ctx)
	found := crosscheck.Find(r.Snapshot, crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place { return r.bodyPlace(e, max(line, 1)) },
		Quote: r.quoter(ctx),
		File:  r.place,
		Tree:  tree,
	})
	if err != nil && ctx.Err() == nil {
		found = append(found, report.Finding{
			Rule: crosscheck.NotParsed, Severity: report.Note, Place: r.place(".", 0),
			Message: fmt.Sprintf("links, imports and globs are not checked, because the repository cannot be listed: %v", err),
		})
	}
	return found, ctx.Err()
}

// tree returns the files of the repository that contains the catalog. It returns nil for a
// bundle.
func (r *Run) tree(ctx context.Context) (*crosscheck.Tree, error) {
	if r.Source.IsBundle() {
		return nil, nil
	}
	t, err := r.Source.Tree(ctx)
	if err != nil {
		return nil, err
	}
	return &crosscheck.Tree{
		Catalog: t.Catalog, Files: t.Files, Folders: t.Folders, Links: t.Links, Skipped: t.Skipped,
		Ignores: t.Ignores, Text: t.Text,
	}, nil
}

// quoter returns a function that quotes part of an entry's body with secrets redacted. It
// prepares the redaction of each body once, because a body may be quoted a thousand times.
// The function is safe for concurrent use.
func (r *Run) quoter(ctx context.Context) func(e *catalog.Entry, part string) string {
	var mu sync.Mutex
	redactors := map[*catalog.Entry]func(string) string{}
	return func(e *catalog.Entry, part string) string {
		mu.Lock()
		defer mu.Unlock()
		if redactors[e] == nil {
			redactors[e] = r.redactor(ctx, e)
		}
		return redactors[e](part)
	}
}

// redactor returns a function that redacts the secrets of an entry's body. If the criteria
// that detect secrets are not available, the function redacts everything.
func (r *Run) redactor(ctx context.Context, e *catalog.Entry) func(part string) string {
	everything := func(string) string { return "…" }
	criteria, err := r.Criteria()
	if err != nil {
		return everything
	}
	redact, err := criteria.Redactor(ctx, e.Body.Text())
	if err != nil {
		return everything
	}
	return redact
}
