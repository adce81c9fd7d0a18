package verify

import (
	"context"
	"fmt"
	"path/filepath"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/sum"
)

// checkSum compares the catalog with its catalog.sum, if it exists. If a public key is
// given, it also verifies the signature.
func (r *Run) checkSum(context.Context, *Result) ([]report.Finding, error) {
	if text, err := r.Source.Sum(); text == nil && err == nil && r.Key == nil {
		return nil, nil
	}
	metadata, err := r.Source.Metadata()
	if err != nil {
		unreadable := err.(*source.UnreadableError) // Metadata returns only errors of this type
		return []report.Finding{r.sumFinding(SumBroken, unreadable.Name, 0, unreadable.Err.Error())}, nil
	}
	var found []report.Finding
	var stands sum.Sum
	if metadata.Sum != nil {
		if stands, err = sum.Parse(metadata.Sum); err != nil {
			malformed := err.(*sum.Malformed) // Parse returns only errors of this type
			return []report.Finding{r.sumFinding(SumBroken, catalog.SumFile, malformed.Line, malformed.Reason)}, nil
		}
		for _, c := range stands.Changes(sum.Of(r.Snapshot, metadata.Governing())) {
			found = append(found, r.changeFinding(c, metadata))
		}
	}
	if r.Key == nil {
		return found, nil
	}
	if file, problem := r.unsigned(metadata, stands); problem != "" {
		found = append(found, r.sumFinding(Unsigned, file, 0, problem))
	}
	return found, nil
}

// unsigned returns the file that shows that the key has not signed the sum, and the problem
// with advice. It returns "" if the key has signed the sum.
func (r *Run) unsigned(metadata source.Metadata, stands sum.Sum) (file, problem string) {
	switch {
	case metadata.Sum == nil:
		return catalog.SumFile, "it does not exist, so nothing is signed: run `catalog lock` and `catalog sign`"
	case metadata.Note == nil:
		return catalog.NoteFile, "it does not exist, so nothing is signed: run `catalog sign`"
	}
	if _, err := r.Key.Verify(metadata.Note, stands, r.Now); err != nil {
		return catalog.NoteFile, err.Error()
	}
	return "", ""
}

// changeFinding returns the finding about a change since catalog.sum was written. Its place
// is the entry or file, with the line of the sum, if any, as a related place. If the entry
// or file is gone, its place is the line of the sum.
func (r *Run) changeFinding(c sum.Change, metadata source.Metadata) report.Finding {
	f := r.sumFinding(report.Rule("sum/"+c.Kind), catalog.SumFile, c.Line, "")
	f.Message = fmt.Sprintf("%s since %s was written: review that, then run `catalog lock`", c, catalog.SumFile)
	f.Match = c.Name
	content, isFile := metadata.Governing()[c.Name]
	e, served := r.Snapshot.Get(c.Name)
	switch {
	case !isFile:
		f.Entry = catalog.ID(c.Name)
	case content == nil:
		return f
	case c.Name == catalog.CriteriaFile && !r.Source.IsBundle():
		f.Place = report.Place{Path: filepath.ToSlash(metadata.Criteria.Path)}
	default:
		f.Place = r.metadataPlace(c.Name, 0)
	}
	if served {
		f.Place = r.entryPlace(e)
	}
	if c.Line > 0 && (served || isFile) {
		f.Related = []report.Place{r.metadataPlace(catalog.SumFile, c.Line)}
	}
	if c.IsUncovered() {
		f.Severity = report.Warning
		f.Message = fmt.Sprintf("%s is not covered by %s: review it, then run `catalog lock`", metadata.Criteria.Name, catalog.SumFile)
	}
	return f
}

// sumFinding returns a finding about a file of a catalog that is not an entry.
func (r *Run) sumFinding(rule report.Rule, name string, line int, message string) report.Finding {
	return report.Finding{
		Rule: rule, Severity: report.Error, Place: r.metadataPlace(name, line), Message: name + ": " + message,
		Match: name, Whole: true, Binding: true,
	}
}

// metadataPlace returns the location of a line in the file called name, or of the bundle if
// the catalog is one.
func (r *Run) metadataPlace(name string, line int) report.Place {
	if r.Source.IsBundle() {
		return r.place(r.Source.Base(), 0)
	}
	return r.place(name, line)
}
