// Package crosscheck finds what is wrong between the entries of a catalog, each of
// which may be in order by itself: texts that stand twice, or nearly so, sentences
// that contradict each other, references that lead nowhere, successors in a circle.
//
// All of it is judged by rules on words. None of it understands a text: what it
// reports is worth a look, and so no finding is an error. What it does not report may
// be wrong nevertheless.
//
// The package looks at a snapshot, reads no file, and changes nothing.
package crosscheck

import (
	"slices"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// View tells how entries are shown. Its functions are called from several goroutines.
type View struct {
	// Place returns the place of a line of an entry's body, from 1, or that of the
	// entry for line 0.
	Place func(e *catalog.Entry, line int) report.Place
	// Quote returns a part of an entry's body without the secrets in it.
	Quote func(e *catalog.Entry, part string) string
	// File returns the place of a line of another file, by its path from the folder
	// of the catalog.
	File func(path string, line int) report.Place
	// Tree describes the repository. If it is nil, references to files are not
	// checked.
	Tree *Tree
}

// Find returns what is wrong between the entries of a snapshot, in the order of the
// rules above and then of the ids.
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

// finding is a warning about an entry.
func finding(rule report.Rule, e *catalog.Entry, at report.Place) report.Finding {
	return report.Finding{Rule: rule, Severity: report.Warning, Place: at, Entry: e.ID}
}

// succeeds reports whether one of two entries is there in place of the other, so
// that it may well say the same, or the contrary.
func succeeds(a, b *catalog.Entry) bool {
	after := func(old, young *catalog.Entry) bool {
		return old.DeprecatedBy == string(young.ID) || young.Supersedes == string(old.ID)
	}
	return after(a, b) || after(b, a)
}

// retired reports whether an entry no longer holds.
func retired(e *catalog.Entry) bool {
	return e.Requirement == catalog.Deprecated || e.Status == catalog.StatusDeprecated || e.DeprecatedBy != ""
}
