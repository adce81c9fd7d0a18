package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
)

// maxRendered is the maximum size of a file to compare, in bytes.
const maxRendered = 64 << 20

// item is a file that is to be rendered or was rendered before.
type item struct {
	RenderedFile
	due   *render.File // the file to render; nil if its entry is gone
	lines []Line       // records of what may have been written to it last

	file   []byte // its bytes on disk; nil if it is missing
	text   []byte // the part of file to compare: all of it, or the text between the markers; nil if missing
	broken bool   // its markers are not exactly one begin and one end below it
	fixed  bool   // it must not be replaced
	forced bool
}

// read reads the file. It sets fixed if the file cannot be read, or if it is a symbolic
// link or behind one.
func (it *item) read(root *os.Root, reader *files.Reader) {
	f, err := reader.Read(it.Path, maxRendered)
	if errors.Is(err, files.ErrLink) {
		it.fixed, it.Why = true, "it is a symbolic link or behind one, and links are never replaced"
		f, err = files.ReadIn(root, filepath.FromSlash(it.Path), maxRendered)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !it.fixed:
	case err != nil:
		it.file, it.fixed = []byte{}, true
		it.Why = "it cannot be read: " + files.Cause(err).Error()
	default:
		it.file = append([]byte{}, f.Data...)
	}
}

// decide sets the state and the action. It compares the file with what was written last
// and with what is to be written.
func (it *item) decide() {
	it.Region = it.due != nil && it.due.Region || it.due == nil && it.lines[0].Region
	bases := it.basesOf(it.Region)
	it.findText()
	switch {
	case it.broken:
		it.State = render.Conflict
		it.Why = "the markers of its region do not match: there must be one begin marker, and one end marker below it"
	case it.Region && len(bases) == 0 && len(it.lines) > 0 && it.file != nil:
		it.decideWholeToRegion()
	default:
		it.State = it.best(bases)
	}
	if it.State == render.Foreign && it.extends() {
		it.State, it.text = render.Missing, nil // only its region is missing
	}
	it.plan()
}

// basesOf returns the recorded lines for a region, or those for a whole file.
func (it *item) basesOf(region bool) (bases []Line) {
	for _, l := range it.lines {
		if l.Region == region {
			bases = append(bases, l)
		}
	}
	return bases
}

// findText sets text to the part of the file to compare, and broken if the markers are
// invalid.
func (it *item) findText() {
	it.text = it.file
	if !it.Region || it.file == nil {
		return
	}
	text, err := render.Content(it.file)
	it.broken, it.text = err != nil, text
}

// content returns the content to write, or nil if the entry is gone.
func (it *item) content() []byte {
	if it.due == nil {
		return nil
	}
	return append([]byte{}, it.due.Content...)
}

// states lists the states in order of preference. A file has several bases if either
// side of a merge may have written it.
var states = []render.State{render.Same, render.Stale, render.Orphan, render.Missing, render.Edited, render.Forgotten, render.Conflict}

// best returns the most preferred of the states that the bases yield.
func (it *item) best(bases []Line) render.State {
	if len(bases) == 0 {
		return render.Decide("", it.content(), it.text)
	}
	best := render.Conflict
	for _, l := range bases {
		state := render.Decide(l.SHA256, it.content(), it.text)
		if slices.Index(states, state) < slices.Index(states, best) {
			best = state
		}
	}
	return best
}

// decideWholeToRegion decides what to do with a file that was rendered as a whole and
// now is to have only a region. The rest of the file is dropped if the file has not
// changed since it was rendered.
func (it *item) decideWholeToRegion() {
	it.text = it.file
	alone, err := render.Put(nil, it.due.Content)
	switch {
	case err == nil && bytes.Equal(alone, it.file):
		it.State = render.Same
	case it.isOurs():
		it.State = render.Stale
	default:
		it.State = render.Conflict
		it.Why = "the whole file was rendered and has been edited since, and now only a region of it is to be rendered"
	}
}

// extends reports whether the content to write is an imported file, as it is on disk,
// with a region below it.
func (it *item) extends() bool {
	if it.due == nil || it.Region {
		return false
	}
	own, err := render.Cut(it.due.Content)
	trim := func(text []byte) []byte { return bytes.TrimRight(text, "\r\n") }
	return err == nil && len(own) < len(it.due.Content) && render.Decide("", trim(own), trim(it.file)) == render.Same
}

// isOurs reports whether the whole file is unchanged since it was last written.
func (it *item) isOurs() bool {
	return slices.ContainsFunc(it.lines, func(l Line) bool { return !l.Region && isText(it.file, l.SHA256) })
}

// plan sets the action for the state, and the ids of the entries.
func (it *item) plan() {
	switch it.State {
	case render.Same:
		if it.Action = NothingToDo; len(it.lines) != 1 || !it.lines[0].equal(it.line()) {
			it.Action = Recorded
		}
	case render.Stale, render.Missing:
		it.Action = Wrote
	case render.Orphan:
		it.Action = Removed
	case render.Forgotten:
		it.Action = NothingToDo
	default:
		it.Action = LeftAlone
	}
	if it.fixed && (it.Action == Wrote || it.Action == Removed) {
		it.Action = LeftAlone
	}
	it.Entries = []catalog.ID{}
	if it.due != nil {
		for _, e := range it.due.Entries {
			it.Entries = append(it.Entries, e.ID)
		}
		return
	}
	for _, e := range it.lines[0].Entries {
		it.Entries = append(it.Entries, catalog.ID(e.ID))
	}
}

// holdBack leaves the file alone if it would lose an entry while files of the catalog
// are broken.
func (it *item) holdBack(unread []string) {
	if len(unread) == 0 || it.Action != Wrote && it.Action != Removed || !it.losesEntry() {
		return
	}
	it.Action = LeftAlone
	it.Why = fmt.Sprintf("one of its entries is gone from the catalog, where %s cannot be read: correct or remove that first", unread[0])
}

// losesEntry reports whether an entry that was written to the file is no longer
// rendered to it.
func (it *item) losesEntry() bool {
	isDue := func(e Entry) bool {
		return it.due != nil && slices.ContainsFunc(it.due.Entries, func(due render.EntryRef) bool { return string(due.ID) == e.ID })
	}
	for _, l := range it.lines {
		for _, e := range l.Entries {
			if !isDue(e) {
				return true
			}
		}
	}
	return false
}

// force makes Render overwrite or remove the file instead of leaving it alone, unless
// the file must not be replaced.
func (it *item) force() {
	if it.Action != LeftAlone || it.fixed {
		return
	}
	it.forced, it.Action = true, Wrote
	if it.due == nil {
		it.Action = Removed
	}
}

// line returns the line for the file in the record.
func (it *item) line() Line {
	l := Line{Path: it.Path, Target: it.Target, Region: it.Region, SHA256: hashOf(it.due.Content), Entries: []Entry{}}
	for _, e := range it.due.Entries {
		l.Entries = append(l.Entries, Entry{ID: string(e.ID), Hash: string(e.Hash)})
	}
	return l
}
