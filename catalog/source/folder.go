package source

import (
	"context"
	"os"
	"time"

	"instruction-catalog/catalog"
)

// Folder is a folder of instruction files: *.json and *.md, at any depth.
type Folder struct {
	dir   string
	cache *Cache
}

// NewFolder returns the folder at dir. Nothing is read yet. The cache, where
// there is one, remembers files that have not changed.
func NewFolder(dir string, cache *Cache) *Folder { return &Folder{dir, cache} }

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
	defer collectByNeed()()

	start, recalled := time.Now(), f.cache.recall(f.dir)
	readings, err := readAll(ctx, root, recalled)
	if err != nil {
		return nil, explain("folder", f.dir, err)
	}
	f.cache.remember(f.dir, recalled.wait(), readings, start)
	return snapshotOf(readings), nil
}

func snapshotOf(readings [][]reading) *catalog.Snapshot {
	var entries []*catalog.Entry
	var diagnostics []catalog.Diagnostic
	for _, batch := range readings {
		for i := range batch {
			diagnostics = append(diagnostics, batch[i].diagnostics...)
			if e := batch[i].entry; e != nil {
				entries = append(entries, e)
			}
		}
	}
	return catalog.NewSnapshot(entries, diagnostics)
}

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, explain("folder", f.dir, err)
	}
	return root, nil
}
