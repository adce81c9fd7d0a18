package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// walker collects the notes in a folder tree.
type walker struct {
	root    *os.Root
	folders []string
	found   []foundFile

	mu     sync.Mutex
	unread []notes.Unread
}

type foundFile struct {
	id     notes.ID
	target string // path of the file, with symbolic links resolved
	state  files.Identity
}

// walk collects the notes and folders in dir, at any depth. It returns an error only if
// ctx is done or the root itself cannot be read. It reports other failures with report.
func (w *walker) walk(ctx context.Context, dir string) error {
	members, err := files.List(w.root, dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && dir == ".":
		return err
	case err != nil && !errors.Is(err, fs.ErrNotExist): // it may have been deleted meanwhile
		w.report(dir, notes.UnreadNote, err)
	}
	w.folders = append(w.folders, dir)
	for _, m := range members {
		name, p := m.Name(), path.Join(dir, m.Name())
		switch {
		case name[0] == '.' || !m.IsDir() && !notes.IsNote(name):
		case !utf8.ValidString(name):
			w.report(p, notes.UnreadNote, errNotUTF8)
		case m.IsDir():
			if err := w.walk(ctx, p); err != nil {
				return err
			}
		default:
			w.add(p, m)
		}
	}
	return nil
}

var errNotUTF8 = errors.New("the name is not valid UTF-8: rename it")

// add adds a note. For a symbolic link to a note, it adds a note with the path of the
// link.
func (w *walker) add(p string, m fs.DirEntry) {
	target, kind, err := p, notes.UnreadNote, error(nil)
	if m.Type()&fs.ModeSymlink != 0 {
		kind = notes.NoNote // the target may be a note in its own right
		target, err = files.Resolve(w.root, p)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = w.root.Lstat(target)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
	case err != nil:
		w.report(p, kind, err)
	case info.IsDir(): // a link to a folder
	case !isNotePath(target):
		w.report(p, notes.NoNote, errNoNote)
	default:
		w.found = append(w.found, foundFile{notes.ID(p), target, files.IdentityOf(info, time.Now())})
	}
}

// errNoNote is the reason for skipping a symbolic link to a file that walk would not
// read, such as a hidden one.
var errNoNote = errors.New("the symbolic link leads to no note: put the file here")

// isNotePath reports whether walk would read the file at p as a note.
func isNotePath(p string) bool {
	for segment := range strings.SplitSeq(p, "/") {
		if segment[0] == '.' {
			return false
		}
	}
	return notes.IsNote(path.Base(p))
}

func (w *walker) report(p string, kind notes.UnreadKind, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unread = append(w.unread, notes.Unread{Path: p, Reason: files.Cause(err).Error(), Kind: kind})
}

// problems returns the files and folders that could not be read, sorted by path.
func (w *walker) problems() []notes.Unread {
	slices.SortFunc(w.unread, func(a, b notes.Unread) int { return cmp.Compare(a.Path, b.Path) })
	return w.unread
}

// read returns the notes of the files that were found. It reuses the notes of unchanged
// files. It returns an error only if ctx is done.
func (w *walker) read(ctx context.Context, before map[notes.ID]known) (map[notes.ID]known, error) {
	found := make(map[notes.ID]known, len(w.found))
	var changed []foundFile
	for _, f := range w.found {
		if k, ok := before[f.id]; ok && k.file.Same(f.state) {
			found[f.id] = k
		} else {
			changed = append(changed, f)
		}
	}
	var mu sync.Mutex
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range changed {
		reads.Go(func() error {
			note := w.readNote(f, before[f.id].note)
			if note != nil {
				mu.Lock()
				defer mu.Unlock()
				found[f.id] = known{f.state, note}
			}
			return ctx.Err()
		})
	}
	return found, reads.Wait()
}

// readNote reads a note. It returns before if the bytes have not changed, and nil if the
// file is gone or cannot be read.
func (w *walker) readNote(f foundFile, before *notes.Note) *notes.Note {
	reader := files.NewReader(w.root)
	defer reader.Close()
	file, err := reader.Read(f.target, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, files.ErrTooLarge):
		w.report(string(f.id), notes.TooLarge, err)
		return nil
	case err != nil:
		w.report(string(f.id), notes.UnreadNote, err)
		return nil
	case before != nil && bytes.Equal(before.File, file.Data):
		return before
	}
	return notes.NewNote(f.id, bytes.Clone(file.Data)) // drop the spare capacity of file.Data
}
