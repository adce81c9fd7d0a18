package tools

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
)

// ContractVersion is the version of the contract that the toolset implements.
const ContractVersion = "1.2"

// limit is the time limit for a call, including the wait for earlier calls.
const limit = 30 * time.Second

// Config configures the toolset.
type Config struct {
	Vault *vault.Vault
	// Writer changes the notes of the vault. If it is nil, the toolset has no tools that
	// change notes.
	Writer *writing.Writer
	// Vectors finds notes by meaning. If it is nil, the toolset has no tool for that.
	Vectors *vectors.Index
	// Log receives the causes of vault failures, which clients do not see.
	Log *slog.Logger
}

// toolset is the state that the methods share.
type toolset struct {
	Config
	told  told
	shown shown
	text  notes.TextIndex

	notifier *changeNotifier // nil unless changes are reported
}

// New returns the toolset. It opens no files.
func New(config Config) rpc.Toolset {
	t := &toolset{Config: config}
	methods := []rpc.Method{
		t.getNode(), t.getNeighbors(), t.findPath(), t.getHubs(), t.searchByTags(), t.listTags(), t.randomNode(), t.searchText(),
	}
	guidance := "Notes are Markdown files that link to each other. search_text, search_by_tags, list_tags and get_hubs find some; " +
		"get_node reads one, with depth 1 also what is beside it."
	if t.Writer != nil {
		methods = append(methods, t.createNode(), t.updateNode(), t.deleteNode())
		guidance += " update_node renames a note when its title changes, and the links to it with it."
	}
	if t.Vectors != nil {
		methods = append(methods, t.search())
		guidance += " search finds what means the same in other words."
	}
	return rpc.Toolset{
		Name:      "notes",
		Contract:  rpc.Contract{Version: ContractVersion, Schemas: schemas.For("notes", "v1")},
		Methods:   methods,
		Guidance:  guidance,
		Errors:    rpc.CodedShape(invalidParams, providerError),
		Limit:     limit,
		Start:     t.start,
		Close:     t.close,
		OnChange:  t.onChange,
		Resources: resources{t},
	}
}

// start completes a rename that another process left unfinished. If that fails, it only
// logs the error: the next change runs into the same problem and reports it.
func (t *toolset) start(ctx context.Context) error {
	if t.Vectors != nil {
		defer t.Vectors.Start() // it reads the notes, so it must follow Complete
	}
	if name := t.Vault.Foreign(); name != "" {
		t.Log.Warn("this is not used: an older version of this program made it, or it came with the notes; it may be deleted", "path", name)
	}
	if t.Writer == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit/3)
	defer cancel()
	if err := t.Writer.Complete(ctx); err != nil {
		t.Log.Error("a change of the notes that was interrupted could not be completed", "error", err)
	}
	return nil
}

// onChange starts to report the URIs of changed notes to tell.
func (t *toolset) onChange(tell func(uris []string)) {
	t.notifier = newChangeNotifier(tell)
	t.Vault.OnSwap(t.notifier.onSwap)
}

func (t *toolset) close() error {
	if t.notifier != nil {
		defer t.notifier.close() // after the vault, which reports to it
	}
	if t.Vectors == nil {
		return t.Vault.Close()
	}
	return errors.Join(t.Vectors.Close(), t.Vault.Close())
}

// declare completes the declaration of a read-only method. The handler gets a current
// snapshot.
func declare[P, R any](t *toolset, tool string, m rpc.Method, handle func(*notes.Snapshot, P) (R, error)) rpc.Method {
	return declareWith(t, tool, m, func(_ context.Context, s *notes.Snapshot, params P) (R, error) { return handle(s, params) })
}

// declareWith is like declare, for a handler that needs the context of the call.
func declareWith[P, R any](t *toolset, tool string, m rpc.Method, handle func(context.Context, *notes.Snapshot, P) (R, error)) rpc.Method {
	m.Name, m.Tool.Name, m.Tool.Default = "notes/"+tool, tool, true
	m.Since, m.Stability, m.Lane = "1.0", rpc.Stable, rpc.Ordered
	m.Effect, m.Repeatable = rpc.Reads, true
	return rpc.Declare(m, func(ctx context.Context, params P) (result R, err error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		s, err := t.Vault.Snapshot(ctx)
		if err == nil {
			result, err = handle(ctx, s, params)
		}
		return result, t.explain(m.Name, err)
	}, nil)
}

// orDefault returns *limit, or fallback if limit is nil.
func orDefault(limit *rpc.Integer, fallback int) int {
	if limit == nil {
		return fallback
	}
	return int(*limit)
}
