// Package crosscheck finds problems between entries of a catalog that may each be
// correct on their own: duplicate and nearly duplicate texts, sentences that contradict
// each other, dead references, and entries that succeed each other in a cycle.
//
// The checks compare words and do not understand texts. A finding is worth a look but
// is never an error, and texts without findings may still have problems.
//
// The package reads a snapshot. It opens no files and changes nothing.
package crosscheck

import (
	"slices"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// View provides the places and quotations for findings. Its functions are called from
// several goroutines.
type View struct {
	// Place returns the place of a line of an entry's body, from 1. For line 0 it returns
	// the place of the entry.
	Place func(e *catalog.Entry, line int) report.Place
	// Quote returns a part of an entry's body without the entry's secrets.
	Quote func(e *catalog.Entry, part string) string
	// File returns the place of a line of another file. The path is relative to the folder
	// of the catalog.
	File func(path string, line int) report.Place
	// Tree describes the repository. If it is nil, links, imports and globs are not
	// checked.
	Tree *Tree
}

// Find returns the findings about the entries of a snapshot, grouped by check:
// duplicates, contradictions, dead references, cycles, files too large for Codex, dead
// file links, dead imports and dead globs.
func Find(s *catalog.Snapshot, view View) []report.Finding {
	all := readTexts(s.Entries())
	texts := all
	var t *tree
	if view.Tree != nil {
		t = newTree(view.Tree)
		texts = t.withoutLinks(all)
	}
	checks := []func() []report.Finding{
		func() []report.Finding { return duplicates(texts, view) },
		func() []report.Finding { return contradictions(texts, view) },
		func() []report.Finding { return deadReferences(s, texts, view) },
		func() []report.Finding { return cycles(s, view) },
		func() []report.Finding { return codexSizes(all, t, view) },
	}
	if t != nil {
		checks = append(checks,
			func() []report.Finding { return deadFileLinks(texts, t, view) },
			func() []report.Finding { return deadImports(texts, t, view) },
			func() []report.Finding { return deadGlobs(texts, t, view) })
	}
	found := make([][]report.Finding, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { found[i] = check() })
	}
	running.Wait()
	return slices.Concat(found...)
}

// entryText is an entry with its body, decoded once.
type entryText struct {
	*catalog.Entry
	body string
}

func readTexts(entries []*catalog.Entry) []entryText {
	texts := make([]entryText, len(entries))
	for i, e := range entries {
		texts[i] = entryText{e, e.Body.Text()}
	}
	return texts
}

// finding returns a warning about an entry.
func finding(rule report.Rule, e *catalog.Entry, at report.Place) report.Finding {
	return report.Finding{Rule: rule, Severity: report.Warning, Place: at, Entry: e.ID}
}

// succeeds reports whether one of two entries replaces the other. Such entries may
// repeat or contradict each other.
func succeeds(a, b *catalog.Entry) bool {
	after := func(old, young *catalog.Entry) bool {
		return old.DeprecatedBy == string(young.ID) || young.Supersedes == string(old.ID)
	}
	return after(a, b) || after(b, a)
}

// retired reports whether an entry is deprecated.
func retired(e *catalog.Entry) bool {
	return e.Requirement == catalog.Deprecated || e.Status == catalog.StatusDeprecated || e.DeprecatedBy != ""
}
