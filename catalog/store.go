package catalog

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Load makes a snapshot of wherever the catalog is kept.
type Load func(context.Context) (*Snapshot, error)

// Store holds the current snapshot. It loads it when somebody first asks, so
// that a server starts at once whatever the catalog's size.
type Store struct {
	load    Load
	current atomic.Pointer[Snapshot]
	loading singleflight.Group
}

// NewStore returns a store that has loaded nothing yet.
func NewStore(load Load) *Store { return &Store{load: load} }

// Loaded returns the current snapshot, nil where there is none yet.
func (s *Store) Loaded() *Snapshot { return s.current.Load() }

// Snapshot returns the current snapshot, loading it first if need be; however
// many ask at once, it is loaded once, and the end of one caller's ctx does not
// take it from the others. A load that failed is tried again by the next one
// who asks.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	if current := s.current.Load(); current != nil {
		return current, nil
	}
	_, err, _ := s.loading.Do("", func() (any, error) {
		if s.current.Load() != nil {
			return nil, nil
		}
		loaded, err := s.load(context.WithoutCancel(ctx))
		if err == nil {
			s.current.Store(loaded)
			go loaded.BuildIndex()
		}
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return s.current.Load(), nil
}
