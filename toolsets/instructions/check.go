package instructions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"instruction-catalog/catalog/config"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
	"instruction-catalog/governance/verify"
	"instruction-catalog/rpc"
)

type checkParams struct {
	Path string  `json:"path"`
	Text *string `json:"text"` // nil for the text on disk
}

type checkResult struct {
	Findings *[]fileFinding `json:"findings,omitempty"`
	NotFound bool           `json:"notFound,omitempty"`
}

// fileFinding is a finding in one file.
type fileFinding struct {
	Rule     report.Rule     `json:"rule"`
	Severity report.Severity `json:"severity"`
	Message  string          `json:"message"`
	Range    textRange       `json:"range"`
	Fix      []textEdit      `json:"fix,omitempty"`
}

func (t *Toolset) check() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/check",
		Title:   "Check a file",
		Summary: "What `catalog verify` finds in one file, as it is on disk or as it is being edited.",
		Doc: "`path` is relative to the folder of the catalog, as in `origin`. With `text`, the file is checked as if it " +
			"had that text, whether or not it exists; nothing is written. The findings are those of `catalog verify`: notes are " +
			"included, those that .catalog/config.json or a comment suppresses are not. Lines and characters count from 0, " +
			"characters in UTF-16 code units. A finding that is about a whole line has the range of that line, one that is about the file " +
			"begins and ends at 0. A finding with a single correct repair has `fix`: edits of the same text. " +
			"For a path that does not exist the result is `{notFound: true}`, unless there is a `text`; one that leads out of the " +
			"catalog is -32602, and so is a `text` for a bundle. Runs beside other calls.",
		Since: "1.6", Stability: rpc.Experimental, Effect: rpc.Reads, Lane: rpc.Concurrent,
	}, t.checked, nil)
}

// checked returns the findings in one file.
func (t *Toolset) checked(ctx context.Context, p checkParams) (checkResult, error) {
	name := path.Clean(p.Path)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return checkResult{}, rpc.BadParam("path", "must lie in the folder of the catalog: give it as origin.path has it")
	}
	if p.Text != nil && t.source.IsBundle() {
		return checkResult{}, rpc.BadParam("text", "must be left out for a bundle, whose entries are not files")
	}
	if _, err := t.snapshot(ctx); err != nil { // the check reuses the loaded snapshot
		return checkResult{}, err
	}
	var text []byte
	if p.Text != nil {
		text = []byte(*p.Text)
	}
	draft := t.source.WithDraft(name, text)
	text, err := draft.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkResult{NotFound: true}, nil
	case errors.Is(err, files.ErrLeadsOut):
		return checkResult{}, rpc.BadParam("path", "must not lead out of the folder of the catalog")
	}
	found, err := t.findingsOf(ctx, draft, name)
	if err != nil {
		return checkResult{}, err
	}
	findings := make([]fileFinding, len(found))
	lines := newLines(text)
	for i, f := range found {
		findings[i] = lines.finding(f)
	}
	return checkResult{Findings: &findings}, nil
}

// findingsOf runs verify on one file and returns its findings in line order. Only one
// call at a time verifies or rereads files.
func (t *Toolset) findingsOf(ctx context.Context, from *source.Source, name string) ([]report.Finding, error) {
	select {
	case t.verifying <- struct{}{}:
		defer func() { <-t.verifying }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	repository, err := config.Find(t.config.Dir)
	if err != nil {
		return nil, rpc.FailedAs(rpc.Unconfigured, err.Error())
	}
	snapshot, err := from.Load(ctx)
	if err != nil {
		return nil, err
	}
	run := verify.Run{
		Source: from, Snapshot: snapshot, Only: name, Now: t.config.Now(),
		Review: review.Severity(cmp.Or(repository.Review, string(review.High))),
		Criteria: sync.OnceValues(func() (*review.Criteria, error) {
			return t.config.Criteria(func() (source.Criteria, error) { return t.ownCriteria(ctx) }, false)
		}),
	}
	found, err := verify.InFile(ctx, run, repository)
	if err != nil && ctx.Err() == nil {
		err = rpc.FailedAs(rpc.Unconfigured, err.Error())
	}
	slices.SortStableFunc(found, func(a, b report.Finding) int { return a.Line - b.Line })
	return found, err
}
