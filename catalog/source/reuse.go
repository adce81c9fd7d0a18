package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// loadState is what a load has made, for the next one to reuse. The zero value is from
// before the first.
type loadState struct {
	snapshot    *catalog.Snapshot
	entries     []*catalog.Entry // in the order of files, or of lines
	diagnostics []catalog.Diagnostic
}

// next returns the state after the next load. Its snapshot is the same if nothing has
// changed.
func (s *loadState) next(entries []*catalog.Entry, diagnostics []catalog.Diagnostic) loadState {
	next := loadState{s.snapshot, entries, diagnostics}
	if s.snapshot == nil || !slices.Equal(entries, s.entries) || !slices.Equal(diagnostics, s.diagnostics) {
		next.snapshot = s.snapshot.Next(entries, diagnostics)
	}
	return next
}

// sayStillServed adds to the errors, of one line of a bundle or, for 0, of a file,
// what is done about them.
func sayStillServed(diagnostics []catalog.Diagnostic, line int) {
	for i := range diagnostics {
		d := &diagnostics[i]
		if d.Severity == catalog.SeverityError && (line == 0 || d.Line == line) {
			d.Message += " (the entry is served as it was before)"
			d.Kept = true
		}
	}
}

// folderState is the [loadState] of a folder.
type folderState struct {
	loadState
	results  map[string]*fileResult // by path
	listings map[string][]dirEntry  // by folder
}

// read returns what comes of a file: the same as last time, if it has not changed.
func (s *folderState) read(from *fileReader, c candidate) fileResult {
	if from.drafts.has(c) {
		return readAndInterpret(from, c)
	}
	before, known := s.results[c.path]
	if known && before.isOf(c) {
		same := *before
		same.dirEntry = c.dirEntry
		return same
	}
	r := readAndInterpret(from, c)
	if known {
		r.follow(before)
	}
	return r
}

// isOf reports whether the file would be read as it was.
func (r *fileResult) isOf(c candidate) bool {
	samePlace := r.place == c.place || r.place != nil && c.place != nil && *r.place == *c.place
	return r.identity.Same(c.identity) && samePlace && r.target == c.target && r.persona == c.persona
}

// follow takes over from an earlier result of the file the entry that has not
// changed, and the one that the file is too broken for now.
func (r *fileResult) follow(before *fileResult) {
	switch {
	case before.Entry == nil:
	case r.Entry != nil && r.Entry.Same(before.Entry):
		r.Entry = before.Entry
	case r.Entry == nil && r.IsBroken():
		r.Entry = before.Entry
		sayStillServed(r.Diagnostics, 0)
	}
}

// below returns what came of the files in some folders, which cannot be looked into
// now.
func (s *folderState) below(folders []string) (kept []fileResult) {
	for _, folder := range folders {
		for _, p := range slices.Sorted(maps.Keys(s.results)) {
			if strings.HasPrefix(p, folder+"/") {
				kept = append(kept, *s.results[p])
			}
		}
	}
	return kept
}

// next returns the state after the next load, of so many files, some of which were
// read. The diagnostics are about the others.
func (s *folderState) next(results []fileResult, diagnostics []catalog.Diagnostic, files int) folderState {
	byPath := make(map[string]*fileResult, len(results))
	entries := make([]*catalog.Entry, 0, len(results))
	for i := range results {
		r := &results[i]
		byPath[r.path] = r
		diagnostics = append(diagnostics, r.Diagnostics...)
		if r.Entry != nil {
			entries = append(entries, r.Entry)
		}
	}
	if len(entries) == 0 {
		diagnostics = append(diagnostics, noEntries(files))
	}
	slices.SortStableFunc(diagnostics, func(a, b catalog.Diagnostic) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return folderState{loadState: s.loadState.next(entries, diagnostics), results: byPath}
}

// changedBy returns a function that reports whether the content of a folder may have
// changed, given that these paths have. It returns nil if paths is nil.
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

// bundleState is the [loadState] of a bundle, or one under way.
type bundleState struct {
	loadState
	before   *bundleState // nil when the load has ended
	identity files.Identity
	modified time.Time

	byText    map[lineKey]format.Outcome
	broken    []int // the numbers of lines
	breaksOff bool  // the last line is broken, and no newline ends it
	said      findings
}

// lineKey tells the texts of lines apart.
type lineKey struct {
	hash uint64
	size int
}

var lineSeed = maphash.MakeSeed()

// after returns the state of a load that begins, of the file that info is of.
func (s *bundleState) after(info fs.FileInfo) *bundleState {
	return &bundleState{
		before: s, identity: files.IdentityOf(info, time.Now()), modified: info.ModTime(),
		byText: make(map[lineKey]format.Outcome, len(s.entries)),
	}
}

// read makes an entry of a line: the same as last time, if a line had the text
// then. It may be called by several goroutines at once.
func (s *bundleState) read(l *line, d format.File) format.Outcome {
	l.key = lineKey{maphash.Bytes(lineSeed, d.Data), len(d.Data)}
	if same, ok := s.before.byText[l.key]; ok && (s.modified.Equal(s.before.modified) || !hasTimeOfFile(same)) {
		return movedTo(same, d.Line)
	}
	d.Data = bytes.Clone(d.Data) // it is valid for this batch only
	return format.Decode(d)
}

func hasTimeOfFile(o format.Outcome) bool {
	return o.Entry.Origin.CreatedWithFile || o.Entry.Origin.UpdatedWithFile
}

// movedTo returns what comes of the same text on another line.
func movedTo(o format.Outcome, line int) format.Outcome {
	if o.Entry.Origin.Line == line {
		return o
	}
	entry := *o.Entry
	entry.Origin.Line, entry.Origin.BodyLine = line, line
	moved := format.Outcome{Entry: &entry, Diagnostics: slices.Clone(o.Diagnostics)}
	for at := range moved.Diagnostics {
		moved.Diagnostics[at].Line = line
	}
	return moved
}

// maxBroken limits the broken lines of a bundle. A file with more is something else,
// and a diagnostic for each would take longer than reading it.
const maxBroken = 10_000

// add adds what came of the next line. The error says that too many are broken.
func (s *bundleState) add(l line, o format.Outcome) error {
	s.said.add(o.Diagnostics...)
	switch {
	case o.Entry != nil:
		s.entries = append(s.entries, o.Entry)
		s.byText[l.key] = o
	case o.IsBroken():
		s.broken = append(s.broken, l.number)
		s.breaksOff = l.last
	}
	if len(s.broken) > maxBroken {
		return fmt.Errorf("more than %d of its lines are no instructions, the first of them line %d: write one JSON object a line, or name another file", maxBroken, s.broken[0])
	}
	return nil
}

// finish makes the snapshot of a bundle of that name. Its error says that the file
// looks as if it was still being written.
func (s *bundleState) finish(name string) error {
	before := s.before
	s.before = nil
	switch {
	case len(before.entries) == 0:
	case s.breaksOff:
		return fmt.Errorf("it breaks off in line %d", s.broken[len(s.broken)-1])
	case len(s.entries) == 0 && len(before.entries) > len(s.broken):
		return errors.New("it has no entry any more")
	}
	diagnostics := s.said.all(name)
	if len(s.entries)+len(diagnostics) == 0 {
		diagnostics = append(diagnostics, catalog.Diagnostic{Path: name, Severity: catalog.SeverityWarning, Rule: NoEntries,
			Message: "there is no entry in it: write it anew with `catalog bundle`, or name another catalog with --dir"})
	}
	s.keepBroken(before, diagnostics)
	s.loadState = before.loadState.next(s.entries, diagnostics)
	return nil
}

// keepBroken takes over the entries of lines that are broken now, unless their ids
// are on other lines.
func (s *bundleState) keepBroken(before *bundleState, diagnostics []catalog.Diagnostic) {
	if len(s.broken) == 0 {
		return
	}
	there := map[catalog.ID]bool{}
	for _, e := range s.entries {
		there[e.ID] = true
	}
	for _, e := range before.entries {
		if _, broken := slices.BinarySearch(s.broken, e.Origin.Line); broken && !there[e.ID] {
			s.entries = append(s.entries, e)
			sayStillServed(diagnostics, e.Origin.Line)
		}
	}
}
