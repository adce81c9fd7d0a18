package catalog

import (
	"context"
	"sync/atomic"
)

// Drift reports an entry whose file no longer contains the body that its hash was
// computed from.
type Drift struct {
	ID       ID     `json:"id"`
	Expected string `json:"expected"` // the hash that the file records, else the one computed at load
	Actual   string `json:"actual"`   // the fingerprint of the current body; "" if it cannot be read
}

// Reread reads the bodies of the entries again from their source and calls found with
// each, possibly from several goroutines at once. If it calls found with the same id
// more than once, the first body counts. It omits bodies that cannot be read. It fails
// only if ctx is done or no more files can be opened.
type Reread func(ctx context.Context, entries []*Entry, found func(id ID, body string)) error

// Verify reads the body of every entry again and returns those that drifted, in id
// order. After each body it calls progress, possibly from several goroutines at once. A
// body that cannot be read is a drift, not an error. The errors are those of reread.
func (s *Snapshot) Verify(ctx context.Context, reread Reread, progress func(done, total int)) ([]Drift, error) {
	v := verification{s: s, progress: progress, seen: make([]atomic.Bool, len(s.entries)), drifts: make([]*Drift, len(s.entries))}
	if err := reread(ctx, s.entries, v.found); err != nil {
		return nil, err
	}
	return v.result(), nil
}

// verification is the state of a call of Verify.
type verification struct {
	s        *Snapshot
	progress func(done, total int)
	done     atomic.Int64
	seen     []atomic.Bool // indexed by position, like drifts
	drifts   []*Drift      // nil for an entry that did not drift
}

func (v *verification) found(id ID, body string) {
	at, ok := v.s.position[id]
	if ok && v.seen[at].CompareAndSwap(false, true) {
		v.drifts[at] = v.s.entries[at].driftTo(body)
		v.advance()
	}
}

func (v *verification) advance() { v.progress(int(v.done.Add(1)), len(v.seen)) }

// result returns the drifts after all bodies have been read. It reports an entry that
// was not found as a drift.
func (v *verification) result() []Drift {
	found := []Drift{}
	for i, e := range v.s.entries {
		if !v.seen[i].Load() {
			v.drifts[i] = &Drift{ID: e.ID, Expected: e.expected()}
			v.advance()
		}
		if d := v.drifts[i]; d != nil {
			found = append(found, *d)
		}
	}
	return found
}

// expected returns the hash that the body should have: the recorded one, else the one
// computed at load.
func (e *Entry) expected() string {
	if e.Origin.RecordedHash != "" {
		return e.Origin.RecordedHash
	}
	return string(e.SourceHash)
}

// driftTo returns the drift of the entry if its current body is body, or nil if that has
// not drifted.
func (e *Entry) driftTo(body string) *Drift {
	d := &Drift{ID: e.ID, Expected: e.expected(), Actual: string(FingerprintOf(body))}
	recorded := e.Origin.RecordedHash
	if d.Actual == d.Expected || recorded != "" && recordedMatches(recorded, body) {
		return nil
	}
	return d
}
