package catalog

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Load makes a snapshot of the catalog, wherever it is kept. If nothing has changed
// since the last call, it may return the same snapshot.
type Load func(context.Context) (*Snapshot, error)

// Store holds the current snapshot. It loads it at the first use, so that a server
// starts at once whatever the size of the catalog.
type Store struct {
	load    Load
	current atomic.Pointer[Snapshot]
	loading singleflight.Group

	mu      sync.Mutex // held while loading and telling
	swapped []func(before, after *Snapshot)
}

// NewStore returns a store that has loaded nothing yet.
func NewStore(load Load) *Store { return &Store{load: load} }

// OnSwap registers a function to be called after each swap with the snapshot before,
// which is nil at the first load, and the new one. Calls do not overlap. A caller
// that waits for a load also waits for the function, which must not load. Call OnSwap
// before the first load.
func (s *Store) OnSwap(tell func(before, after *Snapshot)) { s.swapped = append(s.swapped, tell) }

// Loaded returns the current snapshot, or nil if none has been loaded.
func (s *Store) Loaded() *Snapshot { return s.current.Load() }

// Snapshot returns the current snapshot, loading it first if necessary. Concurrent
// callers share one load, and a caller whose ctx ends does not cancel it for the
// others. After a failed load the next caller tries again.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	if current := s.current.Load(); current != nil {
		return current, nil
	}
	_, err, _ := s.loading.Do("", func() (any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.current.Load() != nil {
			return nil, nil
		}
		return nil, s.swap(context.WithoutCancel(ctx), s.load)
	})
	if err != nil {
		return nil, err
	}
	return s.current.Load(), nil
}

// Reload loads the catalog again, in a way that may use what the caller knows, and
// swaps the snapshot if it differs. On an error the current snapshot stays.
func (s *Store) Reload(ctx context.Context, load Load) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.swap(ctx, load)
}

func (s *Store) swap(ctx context.Context, load Load) error {
	after, err := load(ctx)
	before := s.current.Load()
	if err != nil || after == before {
		return err
	}
	s.current.Store(after)
	go after.BuildIndex()
	for _, tell := range s.swapped {
		tell(before, after)
	}
	return nil
}
