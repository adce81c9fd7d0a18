package source

import (
	"context"
	"os"

	"instruction-catalog/catalog"
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
	collectByNeed()

	readings, err := readAll(ctx, root)
	if err != nil {
		return nil, explain("folder", f.dir, err)
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

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, explain("folder", f.dir, err)
	}
	return root, nil
}
