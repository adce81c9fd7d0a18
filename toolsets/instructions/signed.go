package instructions

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/sum"
	"instruction-catalog/rpc"
)

// signed admits only what somebody has signed. A nil one admits everything.
type signed struct {
	config Config
	source *source.Source
	// admitted is what stood beside the entries that were admitted last: gates and
	// proofs come from it, not from files that may have changed since.
	admitted atomic.Pointer[source.Beside]

	mu      sync.Mutex
	refused string // why nothing was admitted, as the log says
}

func newSigned(config Config, from *source.Source) *signed {
	if config.RequireSigned == nil {
		return nil
	}
	return &signed{config: config, source: from}
}

// admit is a way to load a catalog that fails unless the catalog is exactly what was
// signed. A caller that has loaded one before keeps it.
func (g *signed) admit(load catalog.Load) catalog.Load {
	if g == nil {
		return load
	}
	return func(ctx context.Context) (*catalog.Snapshot, error) {
		s, err := load(ctx)
		if err != nil {
			return nil, err
		}
		beside, err := g.source.Beside()
		if err == nil {
			err = g.config.RequireSigned.Signed(sum.Of(s, beside.Governing()), beside.Sum, beside.Note, g.config.Now())
		}
		if err != nil {
			err = &unsignedError{fmt.Errorf("only what %s has signed is served, and the catalog is not that: %w", g.config.RequireSigned, err)}
			g.tell(err)
			return nil, err
		}
		g.admitted.Store(&beside)
		return s, nil
	}
}

// unsignedError says that the catalog is not what was signed.
type unsignedError struct{ error }

// tell logs once why nothing is served. The code that follows a catalog reports why
// it is not served anew.
func (g *signed) tell(err error) {
	if g.admitted.Load() != nil || g.config.Log == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refused != err.Error() {
		g.refused = err.Error()
		g.config.Log.Warn("the catalog is not served: " + g.refused)
	}
}

// beside returns what stands beside the entries, where only what is signed is served
// what was signed with them.
func (t *Toolset) beside() (source.Beside, error) {
	if t.signed == nil {
		return t.source.Beside()
	}
	if admitted := t.signed.admitted.Load(); admitted != nil {
		return *admitted, nil
	}
	return source.Beside{}, nil // nobody has a snapshot yet
}

// prove returns the proof that an entry is in the signed catalog. The error tells the
// caller why there is none.
func (t *Toolset) prove(e *catalog.Entry) (*sum.Proof, error) {
	beside, err := t.beside()
	if err != nil {
		return nil, rpc.Failed(err.Error())
	}
	if beside.Sum == nil || beside.Note == nil {
		return nil, rpc.FailedAs(rpc.Unsigned, "there is no proof, for the catalog is not signed: see `catalog lock` and `catalog sign`")
	}
	stands, err := sum.Parse(beside.Sum)
	if err != nil {
		return nil, rpc.FailedAs(rpc.Unsigned, err.Error())
	}
	proof, err := stands.Prove(e, beside.Note)
	if err != nil {
		return nil, rpc.FailedAs(rpc.Unsigned, err.Error())
	}
	return proof, nil
}
