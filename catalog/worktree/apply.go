package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
)

// errChanged means that a file changed between reading and writing.
var errChanged = errors.New("another program has changed it in the meantime: render again")

// apply carries out the decided actions. It first records in the user's state folder
// what it is about to write, so that the next run knows it if this one is killed.
func (run *rendering) apply(ctx context.Context) error {
	var lines []Line
	for _, it := range run.items {
		if it.Action == Wrote {
			lines = append(lines, it.line())
		}
	}
	if err := run.known.intend(lines); err != nil {
		return err
	}
	if err := run.changeAll(ctx); err != nil {
		return err
	}
	run.followLinks()
	if err := run.saveRecord(); err != nil {
		return err
	}
	return run.known.end(func(yield func(string) bool) {
		for _, it := range run.items {
			if !yield(it.Path) {
				return
			}
		}
	})
}

// followLinks looks again at files that cannot be replaced. A link may lead to a file
// that this run has written, for example if an agent's folder of skills links to that of
// another agent.
func (run *rendering) followLinks() {
	reader := files.NewReader(run.root)
	defer reader.Close()
	for _, it := range run.items {
		if !it.fixed {
			continue
		}
		again := &item{due: it.due, lines: it.lines, RenderedFile: RenderedFile{Path: it.Path, Target: it.Target}}
		again.read(run.root, reader)
		if again.decide(); again.State == render.Same {
			*it = *again
		}
	}
}

// createsAtOnce is the maximum number of files that are created concurrently. Creating
// a file is mostly waiting for the disk.
const createsAtOnce = 16

// changeAll changes existing files one after the other, and then creates missing files
// concurrently.
func (run *rendering) changeAll(ctx context.Context) error {
	var mu sync.Mutex
	done := 0
	change := func(it *item) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := run.change(ctx, it); err != nil {
			return fmt.Errorf("%s: %w", it.Path, files.Cause(err))
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		run.Progress(done, len(run.items))
		return nil
	}
	for _, it := range run.items {
		if it.isCreated() {
			continue
		}
		if err := change(it); err != nil {
			return err
		}
	}
	var group errgroup.Group
	group.SetLimit(createsAtOnce)
	for _, it := range run.items {
		if it.isCreated() {
			group.Go(func() error { return change(it) })
		}
	}
	return group.Wait()
}

// isCreated reports whether the file is missing and is to be written.
func (it *item) isCreated() bool { return it.Action == Wrote && it.file == nil }

// create writes a missing file and creates the folders above it. Unlike
// [files.Session.Create], it is safe for concurrent use.
func (run *rendering) create(name string, text []byte) error {
	if err := files.MakeFolders(run.root, path.Dir(name)); err != nil {
		return err
	}
	return files.CreateNewIn(run.root, name, text, 0o666)
}

// change writes or removes one file. If the file has changed since it was read, change
// leaves it alone.
func (run *rendering) change(ctx context.Context, it *item) (err error) {
	if it.Action != Wrote && it.Action != Removed {
		return nil
	}
	if err := run.keep(ctx, it); err != nil {
		return err
	}
	switch text, err2 := it.next(); {
	case err2 != nil:
		err = err2
	case text == nil:
		err = run.remove(it)
	case it.file == nil:
		err = run.create(it.Path, text)
	default:
		err = run.session.Edit(it.Path, func(now []byte) ([]byte, error) { return text, it.unchanged(now) })
	}
	if errors.Is(err, errChanged) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		it.Action, it.Why = LeftAlone, errChanged.Error()
		return nil
	}
	return err
}

func (it *item) unchanged(now []byte) error {
	if !bytes.Equal(now, it.file) {
		return errChanged
	}
	return nil
}

// next returns the new content of the file, or nil if the file is to be removed.
func (it *item) next() ([]byte, error) {
	switch {
	case it.Region && it.due == nil:
		rest, err := render.Cut(it.mended())
		if len(files.TrimByteOrderMark(rest)) == 0 {
			rest = nil
		}
		return rest, err
	case it.due == nil:
		return nil, nil
	case it.Region:
		around := it.mended()
		if len(it.basesOf(true)) == 0 && len(it.lines) > 0 { // the whole file was rendered
			around = nil
		}
		return render.Put(around, it.content())
	}
	return it.fit(), nil
}

// fit returns the content to write, with the line endings of the existing file.
func (it *item) fit() []byte {
	if it.file == nil {
		return it.content()
	}
	return append([]byte{}, render.WithLineEnds(it.content(), it.file)...)
}

// mended returns the file. If its markers are broken, the result omits the lines from
// the first marker to the last. Only --force overwrites a file with broken markers;
// keep then saves a copy of it.
func (it *item) mended() []byte {
	if !it.broken {
		return it.file
	}
	lines := bytes.SplitAfter(it.file, []byte("\n"))
	first := slices.IndexFunc(lines, render.HasMarker)
	last := len(lines) - 1
	for !render.HasMarker(lines[last]) {
		last--
	}
	return slices.Concat(bytes.Join(lines[:first], nil), bytes.Join(lines[last+1:], nil))
}

// keep copies the file to a new path beside it if a person may have written its bytes:
// if --force overwrites it, or if the bytes are neither committed in git nor known to be
// from this program. The record is not trusted for this.
func (run *rendering) keep(ctx context.Context, it *item) error {
	switch {
	case it.file == nil || it.text == nil && !it.forced:
		return nil // no existing bytes are overwritten
	case !it.forced && (run.known.has(it.Path, it.text) || run.IsCommitted(ctx, it.Path, it.file)):
		return nil
	}
	for n := 0; ; n++ {
		name := it.Path + ".orig"
		if n > 0 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		err := run.session.Create(name, it.file)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		it.Kept = name
		return err
	}
}

// remove removes a file and the folders that it leaves empty.
func (run *rendering) remove(it *item) error {
	if err := run.session.Remove(it.Path, it.unchanged); err != nil {
		return err
	}
	for dir := path.Dir(it.Path); dir != "."; dir = path.Dir(dir) {
		if run.root.Remove(filepath.FromSlash(dir)) != nil {
			break // it is not empty
		}
	}
	return nil
}

// saveRecord writes the record if it has changed.
func (run *rendering) saveRecord() error {
	next := run.record.clone()
	next.Revision = run.Revision
	for _, it := range run.items {
		delete(next.lines, it.Path)
		switch {
		case it.Action == LeftAlone:
			if l, ok := it.recorded(it.lines); ok { // a killed run may have written it last
				next.lines[it.Path] = []Line{l}
			}
		case it.due != nil:
			next.lines[it.Path] = []Line{it.line()}
		}
	}
	return run.writeRecord(next)
}

// writeRecord writes a record unless the file has it already.
func (run *rendering) writeRecord(next Record) error {
	text := next.encode()
	now, err := readPlain(run.root, RecordPath, maxRecord)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(next.lines) == 0:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		err = run.session.Create(RecordPath, text)
	case err == nil && !bytes.Equal(now, text):
		err = run.session.Edit(RecordPath, func([]byte) ([]byte, error) { return text, nil })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", RecordPath, files.Cause(err))
	}
	return nil
}

// recorded returns the line to keep in the record for a file that is left alone. If
// there are several lines, it returns the one for the content that is to be rendered, or
// else the first. It returns false if there are no lines.
func (it *item) recorded(lines []Line) (Line, bool) {
	if len(lines) == 0 {
		return Line{}, false
	}
	for _, l := range lines {
		if it.due != nil && l.SHA256 == hashOf(it.due.Content) {
			return l, true
		}
	}
	return lines[0], true
}
