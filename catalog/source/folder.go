package source

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog"
)

// Folder is a folder of instruction files: *.json and *.md, at any depth.
type Folder struct{ dir string }

// NewFolder returns the folder at dir. Nothing is read yet.
func NewFolder(dir string) *Folder { return &Folder{dir} }

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
	w := walker{root: root}
	if err := w.walk(ctx, "."); err != nil {
		return nil, explain("folder", f.dir, err)
	}
	interpreted := make([]reading, len(w.found))
	err = inParallel(ctx, len(w.found), func(i int) { interpreted[i] = readAndInterpret(root, w.found[i]) })
	if err != nil {
		return nil, err
	}
	return snapshotOf(interpreted, w.diagnostics), nil
}

func snapshotOf(readings []reading, diagnostics []catalog.Diagnostic) *catalog.Snapshot {
	entries := make([]*catalog.Entry, 0, len(readings))
	for _, r := range readings {
		diagnostics = append(diagnostics, r.diagnostics...)
		if r.entry != nil {
			entries = append(entries, r.entry)
		}
	}
	return catalog.NewSnapshot(entries, diagnostics)
}

// Reread reads the file of each entry again, on every processor, and tells found
// which body it holds now; it is a [catalog.Reread]. Left out are entries whose
// file is gone, cannot be read, or holds no body any more.
func (f *Folder) Reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	root, err := f.open()
	if err != nil {
		return ctx.Err() // the folder is gone, and with it every entry
	}
	defer root.Close()
	return inParallel(ctx, len(entries), func(i int) {
		if body, ok := bodyOf(root, entries[i].Origin.Path); ok {
			found(entries[i].ID, body)
		}
	})
}

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, explain("folder", f.dir, err)
	}
	return root, nil
}

// inParallel calls do with each number below n, on every processor. Its error
// is that of ctx.
func inParallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}
