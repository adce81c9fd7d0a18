package source

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"slices"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// lines are what comes of the lines of a bundle, beside what came of them at the
// load before.
type lines struct {
	before   *lines // nil at the first load, and when the load has ended
	identity files.Identity
	modified time.Time

	entries   []*catalog.Entry // in the order of the lines
	byText    map[lineKey]interpreted
	broken    []int // the numbers of lines
	breaksOff bool  // the last line is broken, and no newline ends it
	said      findings
	snapshot  *catalog.Snapshot
}

// interpreted is an entry, and what there is to say about its line.
type interpreted struct {
	entry       *catalog.Entry
	diagnostics []catalog.Diagnostic
}

// lineKey tells the texts of lines apart.
type lineKey struct {
	hash uint64
	size int
}

var lineSeed = maphash.MakeSeed()

func keyOf(data []byte) lineKey { return lineKey{maphash.Bytes(lineSeed, data), len(data)} }

func newLines(info fs.FileInfo, before *lines) *lines {
	return &lines{
		before: before, identity: files.IdentityOf(info, time.Now()), modified: info.ModTime(),
		byText: map[lineKey]interpreted{},
	}
}

// read makes an entry of a line: the same as last time, if a line had the text
// then. It may be called by several goroutines at once.
func (l *lines) read(f file) reading {
	if l.before == nil {
		return interpret(f)
	}
	same, ok := l.before.byText[keyOf(f.data)]
	if !ok || same.hasTimeOfFile() && !l.modified.Equal(l.before.modified) {
		return interpret(f)
	}
	same = same.movedTo(f.line)
	return reading{entry: same.entry, diagnostics: same.diagnostics}
}

func (i interpreted) hasTimeOfFile() bool {
	return i.entry.Origin.CreatedWithFile || i.entry.Origin.UpdatedWithFile
}

// movedTo is what comes of the same text on another line.
func (i interpreted) movedTo(line int) interpreted {
	if i.entry.Origin.Line == line {
		return i
	}
	entry := *i.entry
	entry.Origin.Line, entry.Origin.BodyLine = line, line
	moved := interpreted{&entry, slices.Clone(i.diagnostics)}
	for at := range moved.diagnostics {
		moved.diagnostics[at].Line = line
	}
	return moved
}

// add takes what came of the next line.
func (l *lines) add(at line, r reading) {
	l.said.add(r.diagnostics...)
	switch {
	case r.entry != nil:
		l.entries = append(l.entries, r.entry)
		l.byText[keyOf(at.data)] = interpreted{r.entry, r.diagnostics}
	case r.isBroken():
		l.broken = append(l.broken, at.number)
		l.breaksOff = at.last
	}
}

// finish makes the snapshot of a bundle of that name. Its error says that the file
// looks as if it was still being written.
func (l *lines) finish(name string) error {
	before := l.before
	l.before = nil
	diagnostics := l.said.all(name)
	if before == nil {
		if len(l.entries)+len(diagnostics) == 0 {
			diagnostics = append(diagnostics, catalog.Diagnostic{Path: name, Severity: catalog.SeverityWarning,
				Message: "there is no entry in it: write it anew with `catalog bundle`, or name another catalog with --dir"})
		}
		l.snapshot = catalog.NewSnapshot(l.entries, diagnostics)
		return nil
	}
	switch {
	case len(before.entries) == 0:
	case l.breaksOff:
		return fmt.Errorf("it breaks off in line %d", l.broken[len(l.broken)-1])
	case len(l.entries) == 0 && len(before.entries) > len(l.broken):
		return errors.New("it has no entry any more")
	}
	l.keepBroken(before, diagnostics)
	if l.snapshot = before.snapshot; !slices.Equal(l.entries, before.entries) || !slices.Equal(l.said.kept, before.said.kept) {
		l.snapshot = before.snapshot.Next(l.entries, diagnostics)
	}
	return nil
}

// keepBroken takes over the entries of lines that are broken now, unless their ids
// are on other lines.
func (l *lines) keepBroken(before *lines, diagnostics []catalog.Diagnostic) {
	if len(l.broken) == 0 {
		return
	}
	there := map[catalog.ID]bool{}
	for _, e := range l.entries {
		there[e.ID] = true
	}
	for _, e := range before.entries {
		if _, broken := slices.BinarySearch(l.broken, e.Origin.Line); broken && !there[e.ID] {
			l.entries = append(l.entries, e)
			sayStillServed(diagnostics, e.Origin.Line)
		}
	}
}
