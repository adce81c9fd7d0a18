package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/sum"
)

// The rules about catalog.sum and its signature. That an entry has changed since is
// sum-changed, sum-removed or sum-added.
const (
	ruleSumBroken report.Rule = "sum-broken"
	ruleUnsigned  report.Rule = "unsigned"
)

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
		return []report.Finding{v.sumFinding(ruleSumBroken, unreadable.Name, 0, unreadable.Err.Error())}, nil
	}
	var found []report.Finding
	var stands sum.Sum
	if beside.Sum != nil {
		if stands, err = sum.Parse(beside.Sum); err != nil {
			malformed := err.(*sum.Malformed) // as nothing else is
			return []report.Finding{v.sumFinding(ruleSumBroken, catalog.SumFile, malformed.Line, malformed.Reason)}, nil
		}
		for _, c := range stands.Changes(sum.Of(v.snapshot, beside.Governing())) {
			found = append(found, v.changeFinding(c, beside))
		}
	}
	if key == nil {
		return found, nil
	}
	if file, problem := unsigned(*key, beside, stands); problem != "" {
		found = append(found, v.sumFinding(ruleUnsigned, file, 0, problem))
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
	f := v.sumFinding(report.Rule("sum-"+c.Kind), catalog.SumFile, c.Line, "")
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
