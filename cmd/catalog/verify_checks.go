package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/sum"
	"instruction-catalog/governance/verify"
)

// checkFiles tells of files that became no entry, or one with other values than
// they have. Where a diagnostic names no rule, that is file-error, file-warning or file-note.
func (v *verification) checkFiles(context.Context) ([]report.Finding, error) {
	var found []report.Finding
	for _, d := range v.snapshot.Diagnostics() {
		f := report.Finding{
			Rule: report.Rule("file-" + d.Severity), Severity: report.Severity(d.Severity),
			Place: v.place(d.Path, d.Line), Message: d.Message, OfFile: true,
		}
		if d.Rule != "" {
			f.Rule = report.Rule(d.Rule)
		}
		if d.Other != "" {
			f.Related = []report.Place{v.place(d.Other, 0)}
		}
		if v.tellsOfNoEntries(d) {
			f.Rule, f.Whole = verify.NoEntries, true
		}
		found = append(found, f)
	}
	return found, nil
}

// tellsOfNoEntries reports whether a diagnostic is the one about a catalog that
// has no entry: about the folder itself, or the bundle.
func (v *verification) tellsOfNoEntries(d catalog.Diagnostic) bool {
	return len(v.snapshot.Entries()) == 0 && d.Severity == catalog.SeverityWarning && d.Line == 0 &&
		(d.Path == "." || d.Path == filepath.Base(v.dir))
}

// checkDrift tells of bodies that are not what their hash was taken of.
func (v *verification) checkDrift(context.Context) ([]report.Finding, error) {
	var integrity struct{ Issues []catalog.Drift }
	if err := json.Unmarshal(v.Integrity, &integrity); err != nil {
		return nil, err
	}
	var found []report.Finding
	for _, d := range integrity.Issues {
		e, _ := v.snapshot.Get(string(d.ID))
		found = append(found, report.Finding{
			Rule: verify.Drift, Severity: report.Error, Place: v.entryPlace(e), Message: explainDrift(d),
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

// checkBetween tells of what is wrong between entries.
func (v *verification) checkBetween(ctx context.Context) ([]report.Finding, error) {
	tree, err := v.tree(ctx)
	found := crosscheck.Find(v.snapshot, crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place { return v.bodyPlace(e, max(line, 1)) },
		Quote: v.quoter(ctx),
		File:  v.place,
		Tree:  tree,
	})
	if err != nil && ctx.Err() == nil {
		found = append(found, report.Finding{
			Rule: crosscheck.NotParsed, Severity: report.Note, Place: v.place(".", 0),
			Message: fmt.Sprintf("links, imports and globs are not checked, for the repository is not listed: %v", err),
		})
	}
	return found, ctx.Err()
}

// tree lists the repository around the catalog; nil for a bundle.
func (v *verification) tree(ctx context.Context) (*crosscheck.Tree, error) {
	if v.isBundle() {
		return nil, nil
	}
	t, err := v.source().Tree(ctx)
	if err != nil {
		return nil, err
	}
	return &crosscheck.Tree{
		Catalog: t.Catalog, Files: t.Files, Folders: t.Folders, Links: t.Links, Skipped: t.Skipped,
		Ignores: t.Ignores, Text: t.Text,
	}, nil
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

// checkSum compares the catalog with its catalog.sum, if there is one, and where a
// public key is given holds it to the signature.
func (v *verification) checkSum(context.Context) ([]report.Finding, error) {
	key, err := v.options.pubkey.read()
	if err != nil {
		return nil, err
	}
	if text, err := v.source().Sum(); text == nil && err == nil && key == nil {
		return nil, nil
	}
	beside, err := v.source().Beside()
	if err != nil {
		unreadable := err.(*source.UnreadableError) // as nothing else is
		return []report.Finding{v.sumFinding(verify.SumBroken, unreadable.Name, 0, unreadable.Err.Error())}, nil
	}
	var found []report.Finding
	var stands sum.Sum
	if beside.Sum != nil {
		if stands, err = sum.Parse(beside.Sum); err != nil {
			malformed := err.(*sum.Malformed) // as nothing else is
			return []report.Finding{v.sumFinding(verify.SumBroken, catalog.SumFile, malformed.Line, malformed.Reason)}, nil
		}
		for _, c := range stands.Changes(sum.Of(v.snapshot, beside.Governing())) {
			found = append(found, v.changeFinding(c, beside))
		}
	}
	if key == nil {
		return found, nil
	}
	if file, problem := unsigned(*key, beside, stands); problem != "" {
		found = append(found, v.sumFinding(verify.Unsigned, file, 0, problem))
	}
	return found, nil
}

// unsigned says in which file it shows that a key has not signed the sum, and what to
// do; "" where it has.
func unsigned(key sum.PublicKey, beside source.Beside, stands sum.Sum) (file, problem string) {
	switch {
	case beside.Sum == nil:
		return catalog.SumFile, "there is none, so that nothing is signed: run `catalog lock` and `catalog sign`"
	case beside.Note == nil:
		return catalog.NoteFile, "there is none, so that nothing is signed: run `catalog sign`"
	}
	if _, err := key.Verify(beside.Note, stands, time.Now()); err != nil {
		return catalog.NoteFile, err.Error()
	}
	return "", ""
}

// changeFinding tells of what has changed since catalog.sum was written: at the entry
// where there is one, and at the line of the sum.
func (v *verification) changeFinding(c sum.Change, beside source.Beside) report.Finding {
	f := v.sumFinding(report.Rule("sum/"+c.Kind), catalog.SumFile, c.Line, "")
	f.Message = fmt.Sprintf("%s since %s was written: review that, then run `catalog lock`", c, catalog.SumFile)
	f.Match = c.Name
	content, isFile := beside.Governing()[c.Name]
	e, served := v.snapshot.Get(c.Name)
	switch {
	case !isFile:
		f.Entry = catalog.ID(c.Name)
	case content == nil:
		return f
	case c.Name == catalog.CriteriaFile && !v.isBundle():
		f.Place = report.Place{Path: filepath.ToSlash(beside.Criteria.Path)}
	default:
		f.Place = v.besidePlace(c.Name, 0)
	}
	if served {
		f.Place = v.entryPlace(e)
	}
	if c.Line > 0 && (served || isFile) {
		f.Related = []report.Place{v.besidePlace(catalog.SumFile, c.Line)}
	}
	if c.IsUncovered() {
		f.Severity = report.Warning
		f.Message = fmt.Sprintf("%s is not covered by %s: review it, then run `catalog lock`", beside.Criteria.Name, catalog.SumFile)
	}
	return f
}

// sumFinding is a finding about one of the files that stand beside the entries.
func (v *verification) sumFinding(rule report.Rule, name string, line int, message string) report.Finding {
	return report.Finding{
		Rule: rule, Severity: report.Error, Place: v.besidePlace(name, line), Message: name + ": " + message,
		Match: name, Whole: true, Binding: true,
	}
}

// besidePlace is a line of such a file, and of a bundle that carries it the bundle.
func (v *verification) besidePlace(name string, line int) report.Place {
	if v.isBundle() {
		return v.place(filepath.Base(v.dir), 0)
	}
	return v.place(name, line)
}
