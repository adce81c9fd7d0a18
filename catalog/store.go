package catalog

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Load returns a snapshot of the catalog. If nothing has changed since the last call, it
// may return the same snapshot.
type Load func(context.Context) (*Snapshot, error)

// Store holds the current snapshot. It loads the snapshot on first use, so that a
// server with a catalog of any size starts without delay.
type Store struct {
	load    Load
	current atomic.Pointer[Snapshot]
	loading singleflight.Group

	mu      sync.Mutex // held while loading and while callbacks run
	swapped []func(before, after *Snapshot)
}

// NewStore returns a store that calls load on first use.
func NewStore(load Load) *Store { return &Store{load: load} }

// OnSwap registers a function to be called after each swap. The function gets the
// previous snapshot, which is nil at the first load, and the new one. Calls do not
// overlap. They run before the load returns to its callers. The function must not load.
// Call OnSwap before the first load.
func (s *Store) OnSwap(tell func(before, after *Snapshot)) { s.swapped = append(s.swapped, tell) }

// Loaded returns the current snapshot, or nil if none has been loaded.
func (s *Store) Loaded() *Snapshot { return s.current.Load() }

// Snapshot returns the current snapshot and loads it first if necessary. Concurrent
// callers share one load. The load continues even if the ctx of a caller is done. After
// a failed load, the next caller tries again.
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

// Reload calls load and swaps the snapshot if the result differs from the current one.
// The given load may differ from that of [NewStore], for example to reload only changed
// paths. On an error, Reload keeps the current snapshot.
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
