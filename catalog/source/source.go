package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

var errNoCatalog = errors.New("it is no folder, and no bundle, which is a file " + BundleNames)

// Source is where a catalog is kept: a folder of instruction files, or a bundle,
// which has all of them in one file.
type Source struct {
	path   string
	folder *Folder
	bundle *Bundle
	top    string // see LookedUpTo
}

// New returns the source at path. Nothing is read yet: what is there is looked
// at anew by each call.
func New(path string) *Source {
	return &Source{path: path, folder: NewFolder(path), bundle: NewBundle(path)}
}

// LookedUpTo tells the source that a folder of its name was looked for in all
// folders up to that one, and in vain: the error of [Source.Load] then says so.
func (s *Source) LookedUpTo(top string) *Source {
	s.top = top
	return s
}

// Load reads the catalog; it is a [catalog.Load]. See [Folder.Load] and
// [Bundle.Load].
func (s *Source) Load(ctx context.Context) (*catalog.Snapshot, error) { return s.LoadChanged(ctx, nil) }

// LoadChanged loads it again where something has changed at these paths only; see
// [Folder.LoadChanged].
func (s *Source) LoadChanged(ctx context.Context, paths []string) (*catalog.Snapshot, error) {
	loaded, err := s.load(ctx, paths)
	if s.top != "" && errors.Is(err, fs.ErrNotExist) {
		return nil, &sourceError{fmt.Sprintf("there is no folder %s here, nor above it up to %s: make one with `catalog init`, or name another with --dir; --dir . reads the agents' files of a repository",
			filepath.Base(s.path), s.top), err}
	}
	return loaded, err
}

func (s *Source) load(ctx context.Context, paths []string) (*catalog.Snapshot, error) {
	mode := s.mode()
	switch {
	case mode.IsDir():
		return s.folder.LoadChanged(ctx, paths)
	case mode.IsRegular() && IsBundleName(s.path):
		return s.bundle.Load(ctx)
	}
	return nil, explain("folder", s.path, errNoCatalog)
}

// Folders returns the folders in which a change may change the catalog; see
// [Folder.Folders]. A bundle has none.
func (s *Source) Folders() []string { return s.folder.Folders() }

// Reread reads the catalog again; it is a [catalog.Reread]. See [Folder.Reread]
// and [Bundle.Reread].
func (s *Source) Reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	if s.mode().IsDir() {
		return s.folder.Reread(ctx, entries, found)
	}
	return s.bundle.Reread(ctx, entries, found)
}

// Folder returns the folder that the paths of entries and diagnostics are within,
// and in which gates.json stands, unless a bundle carries it: for a bundle the one that
// it lies in.
func (s *Source) Folder() string {
	if s.mode().IsDir() {
		return s.path
	}
	return filepath.Dir(s.path)
}

// IsBundle reports whether the catalog is kept in a file, as a bundle is.
func (s *Source) IsBundle() bool { return !s.mode().IsDir() }

// Base returns the name of the folder or the bundle.
func (s *Source) Base() string { return filepath.Base(s.path) }

// mode returns the type of the file at the path. If that cannot be determined, it
// goes by the name, and the reader finds out and says why.
func (s *Source) mode() fs.FileMode {
	info, err := os.Stat(s.path)
	switch {
	case err == nil:
		return info.Mode().Type()
	case IsBundleName(s.path):
		return 0
	}
	return fs.ModeDir
}

// sourceError describes its cause in its own words rather than those of the operating
// system.
type sourceError struct {
	message string
	cause   error
}

func (e *sourceError) Error() string { return e.message }
func (e *sourceError) Unwrap() error { return e.cause }

// makers are the commands that make what a noun names.
var makers = map[string]string{"folder": "catalog init", "bundle": "catalog bundle --out"}

// explain says what to do about a folder or a bundle, as the noun says, that
// cannot be read.
func explain(noun, path string, err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case files.Exhausted(err):
		return &sourceError{fmt.Sprintf("the instruction %s %q cannot be read, for no more files can be opened (%s): raise the limit, as `ulimit -n` does, and try again", noun, path, files.Cause(err)), err}
	case errors.Is(err, fs.ErrNotExist):
		return &sourceError{fmt.Sprintf("the instruction %s %q does not exist: make one with `%s`, or name another with --dir", noun, path, makers[noun]), err}
	}
	return &sourceError{fmt.Sprintf("the instruction %s %q cannot be read (%s): mend that, or name another with --dir", noun, path, files.Cause(err)), err}
}

// progressKey is the key of a progress in a context.
type progressKey struct{}

// WithProgress returns a context whose loads report, from any goroutine, how much of
// the total is done: files of a folder, bytes of a bundle.
func WithProgress(ctx context.Context, progress func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// progressOf returns the function that a load with this context reports to. It is
// never nil.
func progressOf(ctx context.Context) func(done, total int) {
	if progress, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		return progress
	}
	return func(int, int) {}
}

// counting returns a function that tells at each call that one more of n is done.
func counting(ctx context.Context, n int) func() {
	progress := progressOf(ctx)
	var done atomic.Int64
	return func() { progress(int(done.Add(1)), n) }
}
