package source

import (
	"bytes"
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
		byText: make(map[lineKey]interpreted, before.len()),
	}
}

// len is how many entries there are.
func (l *lines) len() int {
	if l == nil {
		return 0
	}
	return len(l.entries)
}

// read makes an entry of a line: the same as last time, if a line had the text
// then. It may be called by several goroutines at once.
func (l *lines) read(f file) reading {
	key := keyOf(f.data)
	if same, ok := l.known(key); ok {
		same = same.movedTo(f.line)
		return reading{key: key, entry: same.entry, diagnostics: same.diagnostics}
	}
	f.data = bytes.Clone(f.data) // it is valid for this batch only
	r := interpret(f)
	r.key = key
	return r
}

// known is what came of a line with that text last time, if the same comes of it now.
func (l *lines) known(key lineKey) (interpreted, bool) {
	if l.before == nil {
		return interpreted{}, false
	}
	same, ok := l.before.byText[key]
	return same, ok && (!same.hasTimeOfFile() || l.modified.Equal(l.before.modified))
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

// maxBroken is how many lines of a bundle may be broken. A file with more of them
// is something else, and to say of each what is wrong with it would take longer than
// to read it.
const maxBroken = 10_000

// add takes what came of the next line. The error says that too many are broken.
func (l *lines) add(at line, r reading) error {
	l.said.add(r.diagnostics...)
	switch {
	case r.entry != nil:
		l.entries = append(l.entries, r.entry)
		l.byText[r.key] = interpreted{r.entry, r.diagnostics}
	case r.isBroken():
		l.broken = append(l.broken, at.number)
		l.breaksOff = at.last
	}
	if len(l.broken) > maxBroken {
		return fmt.Errorf("more than %d of its lines are no instructions, the first of them line %d: write one JSON object a line, or name another file", maxBroken, l.broken[0])
	}
	return nil
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
