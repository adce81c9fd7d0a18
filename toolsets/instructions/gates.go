package instructions

import (
	"bytes"
	"context"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/gates"
	"instruction-catalog/rpc"
)

type gatesResult struct {
	NotConfigured bool              `json:"notConfigured,omitempty"`
	GeneratedAt   catalog.Timestamp `json:"generatedAt,omitempty"`
	Results       *[]gates.Result   `json:"results,omitempty"`
	Summary       *gates.Summary    `json:"summary,omitempty"`
}

type gatesParams struct {
	Offenders bool `json:"offenders"`
}

func (t *Toolset) gates() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "gates/evaluate",
		Title:   "Evaluate the policy gates",
		Summary: "Whether the catalog meets the policy in its gates.json.",
		Doc: "Each gate computes a figure from the entries that its `where` selects, such as their count, and compares it with its " +
			"`value`. A failed gate has `offenders`, the first entries that cause the figure; if its `where` has only " +
			"`requirement` and `priorityGt`, it has them only with the param `offenders`. " +
			"Each call reads the file again; a bundle has it on its first line, or beside itself. A gate that cannot be " +
			"evaluated, because of an unknown operator, type, key or severity, or a figure that no entry has, fails with severity error and gives the reason in `error`; " +
			"so does a file that cannot be parsed, or whose name or place differs slightly from that of gates.json. " +
			"Without a gates.json the result is `{notConfigured: true}`.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
		Tool: rpc.Tool{Unshown: []string{"offenders"}},
	}, func(ctx context.Context, p gatesParams) (gatesResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return gatesResult{}, err
		}
		text, err := t.gatesText()
		policy := t.policy.parse(text, err, s)
		if policy == nil {
			return gatesResult{NotConfigured: true}, nil
		}
		evaluation := policy.Evaluate(t.policy.tableOf(s), t.config.Now())
		if !p.Offenders {
			evaluation = evaluation.OnlyAsked()
		}
		return gatesResult{GeneratedAt: t.timestamp(), Results: &evaluation.Results, Summary: &evaluation.Summary}, nil
	}, nil)
}

// policy caches the parsed gates and the table that they are evaluated on. Each is
// rebuilt when its source changes.
type policy struct {
	mu    sync.Mutex
	text  []byte
	gates *gates.Gates
	of    *catalog.Snapshot // the snapshot that table was built from
	table *gates.Table
}

// gatesText returns the gates from the bundle, or else from the folder. If the server
// requires a signature, it returns the gates that were admitted with the snapshot. It
// returns nil if there are no gates.
func (t *Toolset) gatesText() ([]byte, error) {
	if t.signed != nil {
		metadata, _ := t.metadata() // already read with the snapshot
		return metadata.Gates, nil
	}
	return t.source.Gates()
}

// parse returns the gates, or nil if there are none. It parses text again only if it
// changed.
func (p *policy) parse(text []byte, err error, s *catalog.Snapshot) *gates.Gates {
	if err != nil || text == nil {
		return gates.Of(s, text, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gates == nil || !bytes.Equal(p.text, text) {
		p.text, p.gates = text, gates.Parse(text)
	}
	return p.gates
}

// tableOf returns the table of s, building it if s is not the cached snapshot.
func (p *policy) tableOf(s *catalog.Snapshot) *gates.Table {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != s {
		p.of, p.table = s, gates.NewTable(s)
	}
	return p.table
}

// onSwap drops the cached table, so that the replaced snapshot can be freed.
func (p *policy) onSwap(_, _ *catalog.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of, p.table = nil, nil
}
