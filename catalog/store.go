package catalog

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Load makes a snapshot of wherever the catalog is kept. If nothing has changed
// there since it was last called, it may return the same one again.
type Load func(context.Context) (*Snapshot, error)

// Store holds the current snapshot. It loads it when somebody first asks, so
// that a server starts at once whatever the catalog's size.
type Store struct {
	load    Load
	current atomic.Pointer[Snapshot]
	loading singleflight.Group

	mu      sync.Mutex // held while loading and telling
	swapped []func(before, after *Snapshot)
}

// NewStore returns a store that has loaded nothing yet.
func NewStore(load Load) *Store { return &Store{load: load} }

// OnSwap has a function told of each snapshot that takes the place of another; at
// the first load the one before is nil. It is called after the swap, for one swap
// after the other, and whoever waits for the load waits for it, too. It must not
// load. OnSwap must be called before the first load.
func (s *Store) OnSwap(tell func(before, after *Snapshot)) { s.swapped = append(s.swapped, tell) }

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

// Reload loads the catalog anew, in a way that may make use of what the caller
// knows, and swaps the snapshot if it is another one. With an error the current one
// stays.
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
