package bench

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
)

// reloadOne is from when somebody looks at a catalog in which one entry was edited
// until its next snapshot is served: what a server itself does of a notification.
// Its index follows in the background.
const reloadOne = "reload"

// maxReload is the largest catalog of which that is measured, in entries: of larger
// ones it would be the writing of a gigabyte for each round.
const maxReload = MaxPipeSize

// measureReload edits an entry and loads what has changed.
func (t *trial) measureReload(ctx context.Context) (err error) {
	if t.corpus.truth.entries > maxReload {
		return nil
	}
	t.next(reloadOne)
	edits, err := t.corpus.edits(1)
	if err != nil || len(edits) == 0 { // a catalog of nothing but the rare entry
		return err
	}
	defer func() { err = errors.Join(err, restore(edits)) }()
	from := source.New(t.corpus.path)
	store := catalog.NewStore(from.Load)
	snapshot, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	snapshot.BuildIndex()
	timings, err := interleave(ctx, fewer(t.Iterations), t.reloading(ctx, store, from, edits[0]))
	if err != nil {
		return err
	}
	t.result.Operations = append(t.result.Operations, newOperation(reloadOne, Process, timings[0], 0))
	return nil
}

func (t *trial) reloading(ctx context.Context, store *catalog.Store, from *source.Source, e *edit) subject {
	var changed []string // of a bundle nobody knows
	if t.corpus.form.name == Folder {
		name, _ := filepath.Rel(t.corpus.path, e.path) // both are absolute
		changed = []string{filepath.ToSlash(name)}
	}
	round := 0
	return func() (time.Duration, error) {
		round++
		before, _ := store.Loaded().Get(e.entry)
		if err := e.write(round); err != nil {
			return 0, err
		}
		start := time.Now()
		err := store.Reload(ctx, func(ctx context.Context) (*catalog.Snapshot, error) { return from.LoadChanged(ctx, changed) })
		took := time.Since(start)
		after, _ := store.Loaded().Get(e.entry)
		if err == nil && (after == nil || after == before || len(store.Loaded().Entries()) != t.corpus.truth.entries) {
			err = errors.New(reloadOne + ": the catalog is not what stands in its files")
		}
		store.Loaded().BuildIndex() // the next round does not wait for it
		return took, err
	}
}
