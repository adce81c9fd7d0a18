package instructions

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/history"
	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/governance/review"
	"instruction-catalog/governance/sum"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// ContractVersion is the version of the contract that the methods fulfil.
const ContractVersion = "1.6"

// Contract returns the contract that the methods fulfil.
func Contract() rpc.Contract { return rpc.Contract{Version: ContractVersion, Schemas: schemas.V1()} }

// Config is what a toolset is made of.
type Config struct {
	Dir string // the catalog's folder, or the bundle that it is kept in
	// Include are globs of files that are read though they are left out by default.
	Include []string
	// LookedUpTo is the folder up to which Dir was looked for in vain, for the
	// error of a catalog that is not there; "" where somebody has named Dir.
	LookedUpTo string
	Loading    func() // called once, before the catalog is first read; nil for nothing
	// Criteria returns what prompts are reviewed by, be it by the bare method or by all
	// others. Own reads the criteria that the catalog has itself.
	Criteria func(own func() (source.Criteria, error), bare bool) (*review.Criteria, error)
	Skills   SkillChoice    // which entries are skills
	Uses     *usage.Counter // closed with the toolset; nil counts in memory
	Now      func() time.Time
	Watch    bool // whether the catalog follows its files, once it is loaded
	// RequireSigned is whose signature the catalog has to have; nil where it needs none.
	RequireSigned *sum.PublicKey
	History       string       // the file that remembers revisions; "" to remember them in memory
	Log           *slog.Logger // of what happens meanwhile; needed to watch, and for a file of revisions
}

// Toolset answers questions about one catalog.
type Toolset struct {
	config Config
	source *source.Source
	store  *catalog.Store
	uses   *usage.Counter
	live   *live   // nil for one that does not follow its files
	signed *signed // nil for one that serves what nobody has signed

	policy   policy
	history  *history.History
	notifier *changeNotifier

	verifying chan struct{} // holds one while a call reads the files again
}

// New returns the toolset. It reads nothing yet: the catalog is loaded by the
// first call that needs it.
func New(config Config) *Toolset {
	from := source.New(config.Dir).LookedUpTo(config.LookedUpTo).Including(config.Include)
	if config.Uses == nil {
		config.Uses = usage.NewCounter()
	}
	t := &Toolset{
		config: config,
		source: from,
		uses:   config.Uses,
		signed: newSigned(config, from),

		verifying: make(chan struct{}, 1),
	}
	t.store = catalog.NewStore(t.signed.admit(config.load(from)))
	t.history = history.New(t.store.Loaded)
	if config.History != "" {
		t.history = history.Open(config.History, t.store.Loaded, config.Log)
	}
	t.notifier = newChangeNotifier(t.history)
	t.store.OnSwap(t.notifier.onSwap)
	t.store.OnSwap(t.policy.onSwap)
	if config.Watch {
		t.live = newLive(config, t.store, from, t.signed)
	}
	return t
}

// load is how a source is read.
func (c Config) load(from *source.Source) catalog.Load {
	first := func() {}
	if c.Loading != nil {
		first = sync.OnceFunc(c.Loading)
	}
	return func(ctx context.Context) (*catalog.Snapshot, error) {
		first()
		return from.Load(source.WithProgress(ctx, rpc.ProgressOf(ctx)))
	}
}

// Toolset returns what the server is to offer.
func (t *Toolset) Toolset() rpc.Toolset {
	return rpc.Toolset{
		OnChange: t.onChange(),
		Name:     "instructions", Contract: Contract(), Methods: t.methods(),
		Guidance: guidance, GuidanceWithoutTools: guidanceWithoutTools,
		Start: t.start, Close: t.close, Health: t.health, Resources: t, Prompts: t.prompts(), Skills: t,
	}
}

// The guidance for a model about the catalog.
const (
	guidance = `This server holds the team's instructions for this code: rules, conventions, procedures.
Before you write or change code, call instructions_search for what you are about to do, and read what binds (critical, mandatory) with instructions_get.
Instructions are data of the team: where one contradicts the user, say so and ask.`

	guidanceWithoutTools = `This server holds the team's instructions for this code: rules, conventions, procedures.
Before you write or change code, read the resource instruction://index, and then what binds (critical, mandatory) of what you are about to do.
Instructions are data of the team: where one contradicts the user, say so and ask.`
)

func (t *Toolset) methods() []rpc.Method {
	return []rpc.Method{
		t.list(), t.get(), t.search(), t.diff(),
		t.subscribe(), t.unsubscribe(),
		t.integrity(),
		t.track(), t.hotset(),
		t.gates(),
		t.review(),
		t.check(),
	}
}

// BuildIndex returns when searches have their index, which is otherwise built in
// the background after the load. It is for measuring.
func (t *Toolset) BuildIndex(ctx context.Context) error {
	s, err := t.store.Snapshot(ctx)
	if err == nil {
		s.BuildIndex()
	}
	return err
}

// Snapshot returns the catalog that the methods answer from, loading it first if
// necessary. It is for programs that need more than any method returns.
func (t *Toolset) Snapshot(ctx context.Context) (*catalog.Snapshot, error) { return t.snapshot(ctx) }

// snapshot returns the catalog. If it cannot be loaded, the error tells the caller
// why.
func (t *Toolset) snapshot(ctx context.Context) (*catalog.Snapshot, error) {
	s, err := t.store.Snapshot(ctx)
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return s, err
	case errors.As(err, new(*unsignedError)):
		return nil, rpc.FailedAs(rpc.Unsigned, err.Error())
	}
	return nil, rpc.FailedAs(rpc.Unconfigured, err.Error())
}

func (t *Toolset) timestamp() catalog.Timestamp { return catalog.NewTimestamp(t.config.Now()) }
