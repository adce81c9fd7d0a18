package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"instruction-catalog/catalog"
	"instruction-catalog/files"
)

// Folder is a folder of instruction files: *.json and *.md, at any depth.
type Folder struct{ dir string }

// NewFolder returns the folder at dir. Nothing is read yet.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Load reads every instruction file into a snapshot; it is a [catalog.Load].
// Whatever is wrong with a file becomes a diagnostic of the snapshot. Load
// itself fails only when the folder cannot be read or ctx ends.
//
// Files and folders whose name begins with '_' or '.', gates.json and
// *.schema.json are passed over. Of two readings of an unchanged folder both
// give the same snapshot.
func (f *Folder) Load(ctx context.Context) (*catalog.Snapshot, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	defer collectLess()()

	readings, err := readAll(ctx, root)
	if err != nil {
		return nil, f.explain(err)
	}
	entries := make([]*catalog.Entry, 0, len(readings))
	var diagnostics []catalog.Diagnostic
	for _, r := range readings {
		diagnostics = append(diagnostics, r.diagnostics...)
		if r.entry != nil {
			entries = append(entries, r.entry)
		}
	}
	return catalog.NewSnapshot(entries, diagnostics), nil
}

// ReadBody reads the entry's file again and returns the body that it holds
// now; it is a [catalog.ReadBody]. It fails when the file is gone, cannot be
// read, or holds no body any more.
func (f *Folder) ReadBody(e *catalog.Entry) (string, error) {
	root, err := f.open()
	if err != nil {
		return "", err
	}
	defer root.Close()

	var buf bytes.Buffer
	file, err := readFile(root, e.Origin.Path, &buf)
	if err != nil {
		return "", fmt.Errorf("%s: %w", e.Origin.Path, err)
	}
	doc, problem := parse(file)
	if problem != nil {
		return "", errors.New(problem.String())
	}
	return doc.body()
}

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, f.explain(err)
	}
	return root, nil
}

// explain says what to do about a folder that cannot be read.
func (f *Folder) explain(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &folderError{fmt.Sprintf("the instruction folder %q does not exist: make one with `catalog init`, or name another with --dir", f.dir), err}
	}
	return &folderError{fmt.Sprintf("the instruction folder %q cannot be read (%s): mend that, or name another with --dir", f.dir, files.Cause(err)), err}
}

// folderError says in its own words what its cause says in those of the
// operating system.
type folderError struct {
	message string
	cause   error
}

func (e *folderError) Error() string { return e.message }
func (e *folderError) Unwrap() error { return e.cause }
