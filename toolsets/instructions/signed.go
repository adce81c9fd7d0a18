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

// signed admits only catalogs signed with the required key. A nil *signed admits
// everything.
type signed struct {
	config Config
	source *source.Source
	// admitted holds the files beside the entries, such as gates and proofs, as they
	// were when the catalog was last admitted. The files on disk may have changed since.
	admitted atomic.Pointer[source.Metadata]

	mu      sync.Mutex
	refused string // the last logged reason why nothing was admitted
}

func newSigned(config Config, from *source.Source) *signed {
	if config.RequireSigned == nil {
		return nil
	}
	return &signed{config: config, source: from}
}

// admit wraps load so that it fails unless the catalog is exactly what was signed. After
// a failure, the caller keeps the catalog that it loaded before.
func (g *signed) admit(load catalog.Load) catalog.Load {
	if g == nil {
		return load
	}
	return func(ctx context.Context) (*catalog.Snapshot, error) {
		s, err := load(ctx)
		if err != nil {
			return nil, err
		}
		metadata, err := g.source.Metadata()
		if err == nil {
			err = g.config.RequireSigned.Signed(sum.Of(s, metadata.Governing()), metadata.Sum, metadata.Note, g.config.Now())
		}
		if err != nil {
			err = &unsignedError{fmt.Errorf("only a catalog signed by %s is served, and this one is not: %w", g.config.RequireSigned, err)}
			g.logFailure(err)
			return nil, err
		}
		g.admitted.Store(&metadata)
		return s, nil
	}
}

// unsignedError reports that the catalog is not what was signed.
type unsignedError struct{ error }

// logFailure logs why nothing is served, once per reason. It logs nothing after the first
// admission, because the reloader logs later failures.
func (g *signed) logFailure(err error) {
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

// metadata returns the files beside the entries. If the server requires a signature, it
// returns those that were signed with the served entries.
func (t *Toolset) metadata() (source.Metadata, error) {
	if t.signed == nil {
		return t.source.Metadata()
	}
	if admitted := t.signed.admitted.Load(); admitted != nil {
		return *admitted, nil
	}
	return source.Metadata{}, nil // no snapshot has been admitted yet
}

// prove returns the proof that an entry is in the signed catalog. It fails if the
// catalog is not signed or has changed since it was signed.
func (t *Toolset) prove(e *catalog.Entry) (*sum.Proof, error) {
	metadata, err := t.metadata()
	if err != nil {
		return nil, rpc.Failed(err.Error())
	}
	if metadata.Sum == nil || metadata.Note == nil {
		return nil, rpc.FailedAs(rpc.Unsigned, "there is no proof, because the catalog is not signed: see `catalog lock` and `catalog sign`")
	}
	stands, err := sum.Parse(metadata.Sum)
	if err != nil {
		return nil, rpc.FailedAs(rpc.Unsigned, err.Error())
	}
	proof, err := stands.Prove(e, metadata.Note)
	if err != nil {
		return nil, rpc.FailedAs(rpc.Unsigned, err.Error())
	}
	return proof, nil
}
