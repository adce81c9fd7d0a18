package crosscheck

import (
	"fmt"
	"path"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/markdown"
	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/governance/report"
)

// deadReferences reports references to entries that do not exist.
func deadReferences(s *catalog.Snapshot, texts []entryText, view View) (found []report.Finding) {
	known := map[string]bool{}
	for _, t := range texts {
		for _, name := range Names(t.Entry) {
			known[name] = true
		}
	}
	for _, t := range texts {
		for _, field := range []struct{ name, target string }{{"deprecatedBy", t.DeprecatedBy}, {"supersedes", t.Supersedes}} {
			if _, ok := s.Get(field.target); field.target == "" || ok {
				continue
			}
			f := finding(DeadReference, t.Entry, view.Place(t.Entry, 0))
			f.Message = fmt.Sprintf("%s names %q, but no entry has that id: correct it, or remove it", field.name, field.target)
			f.Match, f.Target = field.name+" "+field.target, field.target
			found = append(found, f)
		}
		found = append(found, deadLinks(t, known, view)...)
	}
	return found
}

// Names returns the names that references may use for an entry: its ID and, case-folded
// for links, its ID, its title, and its file with and without folder and extension. The
// ID is included as normalised and as spelled in the file. The Target of a
// [DeadReference] finding has the same form.
func Names(e *catalog.Entry) []string {
	file := e.Origin.Path
	plain := strings.TrimSuffix(file, path.Ext(file))
	all := []string{string(e.ID), e.Origin.SpelledID}
	for _, name := range []string{string(e.ID), e.Origin.SpelledID, e.Title, file, plain, path.Base(file), path.Base(plain)} {
		all = append(all, fold.String(name))
	}
	return all
}

// deadLinks reports the [[links]] in a body that lead to no entry. If the body cannot
// be parsed, it reports that instead.
func deadLinks(t entryText, known map[string]bool, view View) (found []report.Finding) {
	if t.Origin.OfAgent() || !strings.Contains(t.body, "[[") { // no agent follows such links
		return nil
	}
	document := markdown.Parse([]byte(t.body))
	if document.BodyError != nil {
		f := finding(NotParsed, t.Entry, view.Place(t.Entry, 1))
		f.Message = fmt.Sprintf("the text is not parsed, and no link in it is checked: %v", document.BodyError)
		return []report.Finding{f}
	}
	line, at := 1, 0
	for _, link := range document.Links {
		if link.Form != markdown.Wiki || known[fold.String(link.Name)] {
			continue
		}
		line += strings.Count(t.body[at:link.Start], "\n")
		at = link.Start
		f, name := finding(DeadReference, t.Entry, view.Place(t.Entry, line)), view.Quote(t.Entry, link.Name)
		f.Message = fmt.Sprintf("the link to %q leads to no entry: correct it, or remove it", name)
		f.Match, f.Target = "link "+name, fold.String(link.Name)
		found = append(found, f)
	}
	return found
}
