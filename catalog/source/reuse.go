package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// loaded is what came of the files of a folder the last time that it was loaded. The
// zero value is from before the first.
type loaded struct {
	snapshot    *catalog.Snapshot
	readings    map[string]*reading // by path
	listings    map[string][]listed // by folder
	diagnostics []catalog.Diagnostic
}

// read returns what comes of a file: the same as last time, if it has not changed.
func (l *loaded) read(from *files.Reader, at found) reading {
	before, known := l.readings[at.path]
	if known && before.isOf(at) {
		return *before
	}
	r := readAndInterpret(from, at)
	if known {
		r.follow(before)
	}
	return r
}

// entry returns what was made of the file at a path, nil for nothing.
func (l *loaded) entry(path string) *catalog.Entry {
	if r := l.readings[path]; r != nil {
		return r.entry
	}
	return nil
}

// changedBy returns the function that tells whether something else may be in a
// folder, where something has changed at these paths; nil where they are nil.
func changedBy(paths []string) func(dir string) bool {
	if paths == nil {
		return nil
	}
	in, replaced := map[string]bool{}, map[string]bool{}
	for _, p := range paths {
		in[path.Dir(p)], replaced[p] = true, true
	}
	return func(dir string) bool {
		if in[dir] {
			return true
		}
		for ; dir != "."; dir = path.Dir(dir) {
			if replaced[dir] {
				return true
			}
		}
		return replaced["."]
	}
}

// isOf reports whether the file would be read as it was.
func (r *reading) isOf(at found) bool {
	samePlace := r.at.place == at.place || r.at.place != nil && at.place != nil && *r.at.place == *at.place
	return r.at.identity.Same(at.identity) && samePlace && r.at.target == at.target && r.at.mayBe == at.mayBe && r.at.orNothing == at.orNothing
}

// follow takes over from an earlier reading of the file the entry that has not
// changed, and the one that the file is too broken for now.
func (r *reading) follow(before *reading) {
	switch {
	case before.entry == nil:
	case r.entry != nil && r.entry.Same(before.entry):
		r.entry = before.entry
	case r.entry == nil && r.isBroken():
		r.entry = before.entry
		sayStillServed(r.diagnostics, 0)
	}
}

// sayStillServed adds to the errors, of one line of a bundle or, for 0, of a file,
// what is done about them.
func sayStillServed(diagnostics []catalog.Diagnostic, line int) {
	for i := range diagnostics {
		d := &diagnostics[i]
		if d.Severity == catalog.SeverityError && (line == 0 || d.Line == line) {
			d.Message += " (the entry is served as it was before)"
		}
	}
}

func (r *reading) isBroken() bool {
	return slices.ContainsFunc(r.diagnostics, func(d catalog.Diagnostic) bool { return d.Severity == catalog.SeverityError })
}

// below returns what came of the files in some folders, which cannot be looked into
// now.
func (l *loaded) below(folders []string) (kept []reading) {
	for _, folder := range folders {
		for p, r := range l.readings {
			if strings.HasPrefix(p, folder+"/") {
				kept = append(kept, *r)
			}
		}
	}
	return kept
}

// next is what is loaded after l: so many files, some of which were read, and what
// there is to say about the others.
func (l *loaded) next(readings []reading, diagnostics []catalog.Diagnostic, files int) loaded {
	next := loaded{readings: make(map[string]*reading, len(readings))}
	entries := make([]*catalog.Entry, 0, len(readings))
	same := l.snapshot != nil && len(readings) == len(l.readings)
	for i := range readings {
		r := &readings[i]
		next.readings[r.at.path] = r
		diagnostics = append(diagnostics, r.diagnostics...)
		if r.entry != nil {
			entries = append(entries, r.entry)
		}
		same = same && l.entry(r.at.path) == r.entry
	}
	if len(entries) == 0 {
		diagnostics = append(diagnostics, noEntries(files))
	}
	slices.SortStableFunc(diagnostics, compareDiagnostics)
	next.diagnostics, next.snapshot = diagnostics, l.snapshot
	if !same || !slices.Equal(diagnostics, l.diagnostics) {
		next.snapshot = l.snapshot.Next(entries, diagnostics)
	}
	return next
}

func compareDiagnostics(a, b catalog.Diagnostic) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
}
