package catalog

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Drift is an entry whose file no longer holds the body that its hash was
// taken of.
type Drift struct {
	ID       ID     `json:"id"`
	Expected string `json:"expected"` // the hash that the file records, else the one taken at load
	Actual   string `json:"actual"`   // the fingerprint of the body now; "" when it cannot be read any more
}

// ReadBody returns the body that the entry's file holds at this moment.
type ReadBody func(*Entry) (string, error)

// Verify reads the body of every entry again and returns those that drifted,
// in id order. After each it tells progress, from any goroutine, how many are
// done of how many. A body that cannot be read is a drift, not an error; the
// only error is that of ctx.
func (s *Snapshot) Verify(ctx context.Context, read ReadBody, progress func(done, total int)) ([]Drift, error) {
	found := make([]*Drift, len(s.entries))
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range s.entries {
		g.Go(func() error {
			if ctx.Err() == nil {
				found[i] = e.drift(read)
				progress(int(done.Add(1)), len(s.entries))
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	drifts := []Drift{}
	for _, d := range found {
		if d != nil {
			drifts = append(drifts, *d)
		}
	}
	return drifts, nil
}

func (e *Entry) drift(read ReadBody) *Drift {
	recorded := e.Origin.RecordedHash
	d := &Drift{ID: e.ID, Expected: recorded}
	if recorded == "" {
		d.Expected = string(e.SourceHash)
	}
	body, err := read(e)
	if err != nil {
		return d
	}
	d.Actual = string(FingerprintOf(body))
	if d.Actual == d.Expected || recorded != "" && RecordedMatches(recorded, body) {
		return nil
	}
	return d
}
