package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
)

// The rules about files and bodies.
const (
	ruleNoEntries report.Rule = "no-entries"
	ruleDrift     report.Rule = "drift"
)

// checkFiles tells of files that became no entry, or one with other values than
// they have. The rules are file-error, file-warning and file-note.
func (v *verification) checkFiles(context.Context) ([]report.Finding, error) {
	var found []report.Finding
	for _, d := range v.snapshot.Diagnostics() {
		f := report.Finding{
			Rule: report.Rule("file-" + d.Severity), Severity: report.Severity(d.Severity),
			Place: v.place(d.Path, d.Line), Message: d.Message,
		}
		if d.Other != "" {
			f.Related = []report.Place{v.place(d.Other, 0)}
		}
		if v.tellsOfNoEntries(d) {
			f.Rule, f.Whole = ruleNoEntries, true
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
			Rule: ruleDrift, Severity: report.Error, Place: v.entryPlace(e), Message: explainDrift(d),
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

// folder is what the paths of diagnostics are within, with slashes and from the
// working directory.
func (a *app) folder() string {
	folder := filepath.Clean(source.New(a.dir).Folder())
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		folder = fromFolder(wd, folder)
	}
	return filepath.ToSlash(folder)
}

// fromFolder is the way from one folder to another, both absolute; where there is
// none, it is the other as it is. One that leads upward goes by the real names of
// both: above a symbolic link is another folder than it seems.
func fromFolder(from, to string) string {
	if within, err := filepath.Rel(from, to); err == nil && filepath.IsLocal(within) {
		return within
	}
	realFrom, err := filepath.EvalSymlinks(from)
	realTo, err2 := filepath.EvalSymlinks(to)
	if way, err3 := filepath.Rel(realFrom, realTo); errors.Join(err, err2, err3) == nil {
		return way
	}
	return to
}

func describe(folder string, d catalog.Diagnostic) string {
	d.Path = path.Join(folder, d.Path)
	return oneLine(d.String())
}
