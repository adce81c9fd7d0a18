package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// walker finds the instruction files below a root. It hands them on as soon
// as it has seen them, a few at a time, so that they are read meanwhile.
type walker struct {
	root        *os.Root
	found       chan<- batch
	places      chan struct{} // one taken for each open folder
	idle        func() bool   // whether nobody reads yet, so that there is time to look at files
	diagnostics []catalog.Diagnostic
}

// found is an instruction file that the walker found.
type found struct {
	files.Member
	path   string   // within the root, with slashes
	id     identity // known only if looked
	looked bool
}

// look finds out which file it is, unless that is known.
func (f *found) look(in *shared) identity {
	if !f.looked {
		f.looked = true
		if info, err := in.Look(f.Member); err == nil {
			f.id = identify(info)
		}
	}
	return f.id
}

// batch is some of the instruction files of one folder.
type batch struct {
	in    *shared
	files []found
}

// shared is an open folder for the walker and for those who read in it. The last
// one closes it.
type shared struct {
	*files.Folder
	users  atomic.Int32
	places <-chan struct{}
}

func (s *shared) done() {
	if s.users.Add(-1) == 0 {
		_ = s.Close() // nothing was written
		<-s.places
	}
}

// mostOpen is how many folders are open at once. The walker may be far ahead of
// those who read, and systems allow a process as few as 256 open files.
const mostOpen = 64

// seenAtOnce is how many members of a folder are looked at before those that
// are instruction files are handed on.
const seenAtOnce = 32

// walk goes through a folder and those below it, in the order of the file
// system. Its error is that of ctx or of reading the root itself; a subfolder
// that cannot be read is a diagnostic.
func (w *walker) walk(ctx context.Context, dir string) error {
	subfolders, err := w.list(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && dir == ".":
		return err
	case err != nil:
		w.report(catalog.SeverityError, dir,
			"the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", files.Cause(err))
	}
	for _, sub := range subfolders {
		if err := w.walk(ctx, sub); err != nil {
			return err
		}
	}
	return nil
}

// list hands on the instruction files of one folder and returns its
// subfolders. With an error, these are those that it came to see.
func (w *walker) list(ctx context.Context, dir string) (subfolders []string, err error) {
	in, err := w.open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer in.done()
	members, err := in.Members()
	// What is read in turn is kept side by side, and ids mostly follow names.
	slices.SortFunc(members, func(a, b files.Member) int { return strings.Compare(a.Name, b.Name) })
	for some := range slices.Chunk(members, seenAtOnce) {
		found, folders := w.pick(in, some)
		subfolders = append(subfolders, folders...)
		if err := w.hand(ctx, batch{in, found}); err != nil {
			return nil, err
		}
	}
	return subfolders, err
}

// open opens a folder for the walker, as soon as few enough are open.
func (w *walker) open(ctx context.Context, dir string) (*shared, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case w.places <- struct{}{}:
	}
	opened, err := files.OpenFolder(w.root, dir)
	if err != nil {
		<-w.places
		return nil, err
	}
	in := &shared{Folder: opened, places: w.places}
	in.users.Add(1)
	return in, nil
}

// pick finds the instruction files and folders among members.
func (w *walker) pick(in *shared, members []files.Member) (files []found, folders []string) {
	files = make([]found, 0, len(members))
	for _, m := range members {
		switch p := in.Path(m.Name); w.sort(p, m) {
		case instruction:
			f := found{Member: m, path: p}
			if w.idle() {
				f.look(in)
			}
			files = append(files, f)
		case folder:
			folders = append(folders, p)
		}
	}
	return files, folders
}

// hand hands a batch on. Its error is that of ctx.
func (w *walker) hand(ctx context.Context, b batch) error {
	b.in.users.Add(1)
	select {
	case <-ctx.Done():
		b.in.done()
		return ctx.Err()
	case w.found <- b:
		return nil
	}
}

func isLink(m files.Member) bool { return m.Type&fs.ModeSymlink != 0 }

// class is what a member of a folder is to the walker.
type class uint8

const (
	other class = iota
	instruction
	folder
)

// sort says what a member is, and reports it if something is wrong with it.
func (w *walker) sort(p string, m files.Member) class {
	switch {
	case skipped(m):
	case !utf8.ValidString(m.Name):
		w.report(catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
	case m.Type.IsDir():
		return folder
	case isLink(m):
		return w.sortLink(p)
	case formOf(p) == noForm:
	case !m.Type.IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		return instruction
	}
	return other
}

// sortLink says what a symbolic link leads to. The root does not follow one
// that leads out of it.
func (w *walker) sortLink(p string) class {
	info, err := w.root.Stat(p)
	target, _ := w.root.Readlink(p) // only to be shown
	switch {
	case err != nil:
		w.report(catalog.SeverityError, p,
			"the symbolic link to %s cannot be followed within the catalog (%s): put the file here, or link to a file of the catalog by a relative path", shorten(target), files.Cause(err))
	case info.IsDir():
		w.report(catalog.SeverityNote, p,
			"the symbolic link to the folder %s is not followed: its files are served from their own place", shorten(target))
	case formOf(p) == noForm:
	case !info.Mode().IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		return instruction
	}
	return other
}

func (w *walker) report(severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...),
	})
}

// skipped reports whether the name says that this is no instruction and that
// none lies below.
func skipped(m files.Member) bool {
	name := m.Name
	if name[0] == '_' || name[0] == '.' {
		return true
	}
	return !m.Type.IsDir() && (name == "gates.json" || strings.HasSuffix(strings.ToLower(name), ".schema.json"))
}

// form is how an instruction file is written.
type form uint8

const (
	noForm form = iota // not an instruction file
	jsonForm
	markdownForm
)

func formOf(p string) form {
	switch strings.ToLower(path.Ext(p)) {
	case ".json":
		return jsonForm
	case ".md":
		return markdownForm
	}
	return noForm
}
