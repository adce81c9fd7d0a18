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
		Summary: "Whether the catalog keeps the policy of its gates.json.",
		Doc: "Each gate computes a figure of the entries that its `where` chooses, such as their count, and compares that with its " +
			"`value`. A failed one names `offenders`, the first entries that make the figure what it is; where its `where` has only " +
			"`requirement` and `priorityGt`, it does so for the param `offenders`. " +
			"The file is read anew by each call; a bundle may carry it on its first line, and else it stands beside. A gate that cannot be " +
			"evaluated, for an unknown operator, type, key or severity, or for a figure that no entry has, has failed with severity error and says why in `error`; " +
			"so has a file that does not parse, and one whose name or place is not quite that of gates.json. " +
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

// policy caches the parsed gates, and what they read of the catalog, until either
// changes.
type policy struct {
	mu    sync.Mutex
	text  []byte
	gates *gates.Gates
	of    *catalog.Snapshot // which the table is of
	table *gates.Table
}

// gatesText returns the gates that the bundle carries, or else those of the folder;
// where only what is signed is served, those that were signed. It is nil where there
// are none.
func (t *Toolset) gatesText() ([]byte, error) {
	if t.signed != nil {
		beside, _ := t.beside() // it was read with the snapshot
		return beside.Gates, nil
	}
	return t.source.Gates()
}

// parse returns gates, nil where there are none.
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

// tableOf returns the table of a snapshot.
func (p *policy) tableOf(s *catalog.Snapshot) *gates.Table {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != s {
		p.of, p.table = s, gates.NewTable(s)
	}
	return p.table
}

// onSwap releases a snapshot that has been replaced.
func (p *policy) onSwap(_, _ *catalog.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of, p.table = nil, nil
}
