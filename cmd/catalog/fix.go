package main

import (
	"context"
	"fmt"
	"path"

	textdiff "github.com/rogpeppe/go-internal/diff"

	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/write"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

// fix repairs the findings that have exactly one correct repair, or shows the repairs
// with --diff. It returns the verification of the repaired catalog.
func (a *app) fix(ctx context.Context, v *verification) (*verification, error) {
	repaired := v.run.Repairs(v.Findings)
	if len(repaired) == 0 {
		return v, nil
	}
	again := v.run.Source
	if v.options.diff {
		again = a.showRepairs(v, repaired)
	} else if err := a.writeRepairs(ctx, v, repaired); err != nil {
		return nil, err
	}
	repository := v.repository
	v, err := a.verifySource(ctx, v.options, again)
	if err == nil {
		err = v.judge(repository)
	}
	return v, err
}

// showRepairs prints the repairs as a unified diff and returns the source with the
// repairs applied in memory.
func (a *app) showRepairs(v *verification, repaired []verify.RepairedFile) *source.Source {
	texts := map[string][]byte{}
	for _, f := range repaired {
		texts[f.Path] = f.After
		shown := report.OneLine(path.Join(v.run.Folder, f.Path))
		fmt.Fprint(a.stdout, printable(string(textdiff.Diff("a/"+shown, f.Before, "b/"+shown, f.After))))
	}
	return v.run.Source.WithDrafts(texts)
}

// writeRepairs writes the repaired files and prints each repair. If a file cannot be
// written, it prints the error, and the finding remains.
func (a *app) writeRepairs(ctx context.Context, v *verification, repaired []verify.RepairedFile) error {
	state, err := a.changesFolder()
	if err != nil {
		return err
	}
	s, err := write.Catalog{Folder: v.run.Source.Folder(), State: state, Log: a.logger()}.Begin(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	out := a.stderr
	if report.Format(v.options.format) == textFormat {
		out = a.stdout
	}
	for _, file := range repaired {
		if err := s.Replace(file.Path, file.Before, file.After); err != nil {
			fmt.Fprintln(a.stderr, oneLine(fmt.Sprintf("%s: not repaired: %v", path.Join(v.run.Folder, file.Path), err)))
			continue
		}
		for _, f := range file.Findings {
			fmt.Fprintln(out, oneLine(fmt.Sprintf("repaired %s: %s (%s)", f.Place, f.Message, f.Rule)))
		}
	}
	return nil
}
