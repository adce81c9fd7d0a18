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

var errNoCatalog = errors.New("it is neither a folder nor a bundle, which is a file " + BundleNames)

// Source is the location of a catalog: a folder of instruction files, or a bundle, which
// contains all of them in one file.
type Source struct {
	path   string
	folder *Folder
	bundle *Bundle
	top    string // the top folder that was searched; see LookedUpTo
}

// New returns the source at path. It reads nothing. Each call of a method checks again
// whether path is a folder or a file.
func New(path string) *Source {
	return &Source{path: path, folder: NewFolder(path), bundle: NewBundle(path)}
}

// LookedUpTo records that all folders up to top were searched, without success, for a
// folder with the name of this source. If the source does not exist, the error of
// [Source.Load] says so.
func (s *Source) LookedUpTo(top string) *Source {
	s.top = top
	return s
}

// Load reads the catalog; it is a [catalog.Load]. See [Folder.Load] and [Bundle.Load].
func (s *Source) Load(ctx context.Context) (*catalog.Snapshot, error) { return s.LoadChanged(ctx, nil) }

// LoadChanged loads the catalog again, given that only these paths may have changed. See
// [Folder.LoadChanged]. A bundle ignores the paths.
func (s *Source) LoadChanged(ctx context.Context, paths []string) (*catalog.Snapshot, error) {
	loaded, err := s.load(ctx, paths)
	if s.top != "" && errors.Is(err, fs.ErrNotExist) {
		return nil, &sourceError{fmt.Sprintf("there is no folder %s here or above it, up to %s: make one with `catalog init`, or name another with --dir; --dir . reads the agents' files of a repository",
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

// Folders returns the folders in which a change may affect the catalog; see
// [Folder.Folders]. It returns none for a bundle.
func (s *Source) Folders() []string { return s.folder.Folders() }

// Reread reads the catalog again; it is a [catalog.Reread]. See [Folder.Reread]
// and [Bundle.Reread].
func (s *Source) Reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	if s.mode().IsDir() {
		return s.folder.Reread(ctx, entries, found)
	}
	return s.bundle.Reread(ctx, entries, found)
}

// Folder returns the folder that paths of entries and diagnostics are relative to. For a
// bundle, that is the folder containing it. gates.json is read from there unless the
// bundle contains it.
func (s *Source) Folder() string {
	if s.mode().IsDir() {
		return s.path
	}
	return filepath.Dir(s.path)
}

// IsBundle reports whether the source is a file rather than a folder. If the path cannot
// be examined, its name decides.
func (s *Source) IsBundle() bool { return !s.mode().IsDir() }

// Base returns the name of the folder or the bundle.
func (s *Source) Base() string { return filepath.Base(s.path) }

// mode returns the file type of the path. If it cannot be determined, mode derives it
// from the name, and a later read reports the error.
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

// sourceError replaces the operating system's message for its cause with its own.
type sourceError struct {
	message string
	cause   error
}

func (e *sourceError) Error() string { return e.message }
func (e *sourceError) Unwrap() error { return e.cause }

// makers maps a noun to the command that creates what it names.
var makers = map[string]string{"folder": "catalog init", "bundle": "catalog bundle --out"}

// explain returns an error that says why a source cannot be read and what to do about
// it. The noun is "folder" or "bundle".
func explain(noun, path string, err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case files.Exhausted(err):
		return &sourceError{fmt.Sprintf("the instruction %s %q cannot be read, because no more files can be opened (%s): raise the limit, as `ulimit -n` does, and try again", noun, path, files.Cause(err)), err}
	case errors.Is(err, fs.ErrNotExist):
		return &sourceError{fmt.Sprintf("the instruction %s %q does not exist: make one with `%s`, or name another with --dir", noun, path, makers[noun]), err}
	}
	return &sourceError{fmt.Sprintf("the instruction %s %q cannot be read (%s): fix that, or name another with --dir", noun, path, files.Cause(err)), err}
}

// progressKey is the context key of a progress function.
type progressKey struct{}

// WithProgress returns a copy of ctx. A load that uses the copy calls progress with the
// amount done and the total, possibly from several goroutines at once. The unit is
// files for a folder and bytes for a bundle.
func WithProgress(ctx context.Context, progress func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// progressOf returns the progress function of a context, or a function that does
// nothing. It never returns nil.
func progressOf(ctx context.Context) func(done, total int) {
	if progress, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		return progress
	}
	return func(int, int) {}
}

// counting returns a function that reports, at each call, that one more of n is done. It
// is safe for concurrent use.
func counting(ctx context.Context, n int) func() {
	progress := progressOf(ctx)
	var done atomic.Int64
	return func() { progress(int(done.Add(1)), n) }
}
