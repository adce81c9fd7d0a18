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

// loadState is the result of a load, kept so that the next load can reuse it. The zero
// value precedes the first load.
type loadState struct {
	snapshot    *catalog.Snapshot
	entries     []*catalog.Entry // in the order of files, or of lines
	diagnostics []catalog.Diagnostic
}

// next returns the state after the next load. It keeps the snapshot if nothing has
// changed.
func (s *loadState) next(entries []*catalog.Entry, diagnostics []catalog.Diagnostic) loadState {
	next := loadState{s.snapshot, entries, diagnostics}
	if s.snapshot == nil || !slices.Equal(entries, s.entries) || !slices.Equal(diagnostics, s.diagnostics) {
		next.snapshot = s.snapshot.Next(entries, diagnostics)
	}
	return next
}

// sayStillServed adds a remark to each error that the previous entry is still served,
// and sets Kept. line selects the errors of one line of a bundle; 0 selects all errors,
// for a file.
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

// read returns the result for a file. If the file has not changed since the previous
// load, it returns the previous result.
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

// isOf reports whether reading c would yield r again.
func (r *fileResult) isOf(c candidate) bool {
	samePlace := r.place == c.place || r.place != nil && c.place != nil && *r.place == *c.place
	return r.identity.Same(c.identity) && samePlace && r.target == c.target && r.persona == c.persona
}

// follow reuses the entry of an earlier result of the file, if the entry has not changed
// or if the file is now too broken to yield one.
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

// below returns the previous results for the files in the given folders, which currently
// cannot be read.
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

// next returns the state after the next load. results are for the files that were read,
// diagnostics are about other files, and files is the number of all files.
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
// changed, given the paths that have. It returns nil if paths is nil.
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

// bundleState is the [loadState] of a bundle, or the state of a load in progress.
type bundleState struct {
	loadState
	before   *bundleState // nil after the load has finished
	identity files.Identity
	modified time.Time

	byText    map[lineKey]format.Outcome
	broken    []int // the numbers of broken lines
	breaksOff bool  // the last line is broken and does not end in a newline
	said      findings
}

// lineKey identifies the text of a line by its hash and size.
type lineKey struct {
	hash uint64
	size int
}

var lineSeed = maphash.MakeSeed()

// after returns the initial state of a load of the file that info describes.
func (s *bundleState) after(info fs.FileInfo) *bundleState {
	return &bundleState{
		before: s, identity: files.IdentityOf(info, time.Now()), modified: info.ModTime(),
		byText: make(map[lineKey]format.Outcome, len(s.entries)),
	}
}

// read decodes a line into an entry. If a line of the previous load had the same text,
// it reuses that outcome. It is safe for concurrent use.
func (s *bundleState) read(l *line, d format.File) format.Outcome {
	l.key = lineKey{maphash.Bytes(lineSeed, d.Data), len(d.Data)}
	if same, ok := s.before.byText[l.key]; ok && (s.modified.Equal(s.before.modified) || !hasTimeOfFile(same)) {
		return movedTo(same, d.Line)
	}
	d.Data = bytes.Clone(d.Data) // d.Data is valid only for this batch
	return format.Decode(d)
}

func hasTimeOfFile(o format.Outcome) bool {
	return o.Entry.Origin.CreatedWithFile || o.Entry.Origin.UpdatedWithFile
}

// movedTo returns the outcome of the same text on another line.
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

// maxBroken is the maximum number of broken lines of a bundle. A file with more of them
// is probably not a bundle, and reporting each line would take longer than reading it.
const maxBroken = 10_000

// add adds the outcome of the next line. The error means that too many lines are broken.
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
		return fmt.Errorf("more than %d of its lines are not instructions, the first of them line %d: write one JSON object a line, or name another file", maxBroken, s.broken[0])
	}
	return nil
}

// finish builds the snapshot of the bundle called name. The error means that the file
// looks incompletely written, or lost all of its entries.
func (s *bundleState) finish(name string) error {
	before := s.before
	s.before = nil
	switch {
	case len(before.entries) == 0:
	case s.breaksOff:
		return fmt.Errorf("it is cut short in line %d", s.broken[len(s.broken)-1])
	case len(s.entries) == 0 && len(before.entries) > len(s.broken):
		return errors.New("it no longer has an entry")
	}
	diagnostics := s.said.all(name)
	if len(s.entries)+len(diagnostics) == 0 {
		diagnostics = append(diagnostics, catalog.Diagnostic{Path: name, Severity: catalog.SeverityWarning, Rule: NoEntries,
			Message: "it has no entry: write it again with `catalog bundle`, or name another catalog with --dir"})
	}
	s.keepBroken(before, diagnostics)
	s.loadState = before.loadState.next(s.entries, diagnostics)
	return nil
}

// keepBroken keeps the previous entries of lines that are now broken, unless another
// line now has the id.
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
