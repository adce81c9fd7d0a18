package crosscheck

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/glob"
	"instruction-catalog/governance/report"
)

// deadGlobs reports rules for files that the repository does not have. If some globs
// of a rule match, its other globs are reported as notes.
func deadGlobs(texts []entryText, t *tree, view View) (found []report.Finding) {
	matches := map[string]bool{}
	matchesAny := func(g string) bool {
		is, known := matches[g]
		if !known {
			is = t.matchesAny(g)
			matches[g] = is
		}
		return is
	}
	for _, e := range texts {
		if !e.Origin.OfAgent() || isMisplaced(e.Entry) || t.isImported(e.Entry) || e.Load != catalog.LoadGlob || e.Origin.Scope == nil || e.Origin.Line > 0 {
			continue
		}
		var dead []string
		alive := false
		for _, g := range e.Origin.Scope.Globs {
			switch anchored := path.Join(t.Catalog, g); {
			case strings.HasPrefix(g, "!"), !glob.Valid(g):
			case matchesAny(anchored):
				alive = true
			default:
				dead = append(dead, anchored)
			}
		}
		for _, g := range dead {
			found = append(found, t.deadGlob(e.Entry, g, alive, view))
		}
	}
	return found
}

// isImported reports whether an entry's file is in a subfolder of a catalog that is not
// at the top of the repository, as imported files are. Its globs are for the repository
// that it was imported from, which need not be this one.
func (t *tree) isImported(e *catalog.Entry) bool {
	place, ok := agents.At(e.Origin.Path)
	return ok && t.Catalog != "." && place.Folder != "." && place.Folder != ""
}

// isMisplaced reports whether an entry's file is not where its agent looks for it, as
// in a collection of rules for other repositories.
func isMisplaced(e *catalog.Entry) bool {
	place, ok := agents.At(e.Origin.Path)
	return ok && place.IsUnread()
}

// matchesAny reports whether a glob matches a file or folder, or may match one that is
// ignored by git, was not scanned, or is below a symbolic link.
func (t *tree) matchesAny(g string) bool {
	matches := glob.Matcher(g)
	if slices.ContainsFunc(t.Files, matches) || slices.ContainsFunc(t.Folders, matches) {
		return true
	}
	for link := range t.Links {
		if matches(link) || strings.HasPrefix(g, link+"/") {
			return true
		}
	}
	return slices.ContainsFunc(t.Skipped, func(p string) bool { return matches(p) || strings.HasPrefix(g, p+"/") }) ||
		t.Ignores(strings.NewReplacer("**/", "", "*", "x").Replace(g))
}

func (t *tree) deadGlob(e *catalog.Entry, g string, alive bool, view View) report.Finding {
	f := finding(DeadGlob, e, view.Place(e, 0))
	f.Message = fmt.Sprintf("no file of the repository matches %q, so the rule is never loaded", g)
	if alive {
		f.Severity = report.Note
		f.Message = fmt.Sprintf("no file of the repository matches %q; other globs of the rule do match", g)
	}
	if near := t.nearestGlob(g); near != "" {
		f.Message += fmt.Sprintf(": %q would", near)
	} else if !alive {
		f.Message += ": correct the glob, or remove the rule"
	}
	f.Match = g
	return f
}

// nearestGlob returns a similar glob that does match: one with ** for its leading
// folders, or the deepest existing folder of its path followed by **. It returns "" if
// there is none.
func (t *tree) nearestGlob(g string) string {
	for rest, ok := g, true; ok; {
		tail := strings.TrimPrefix(rest, "**/")
		if strings.Trim(tail, "*/") != "" && t.matchesFile("**/"+tail) {
			return "**/" + tail
		}
		var first string
		first, rest, ok = strings.Cut(rest, "/")
		ok = ok && !strings.ContainsAny(first, "*?[{")
	}
	literal := g
	if at := strings.IndexAny(g, "*?[{"); at >= 0 {
		literal = g[:at]
	}
	for folder := path.Dir(literal + "x"); folder != "."; folder = path.Dir(folder) {
		if t.known[folder] {
			return folder + "/**"
		}
	}
	return ""
}

func (t *tree) matchesFile(g string) bool {
	return slices.ContainsFunc(t.Files, glob.Matcher(g))
}
