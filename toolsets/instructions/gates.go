package instructions

import (
	"context"

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

func (t *Toolset) gates() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "gates/evaluate",
		Title:   "Evaluate the policy gates",
		Summary: "Whether the catalog keeps the policy of its gates.json.",
		Doc: "Each gate counts the entries that satisfy all of its `where` and compares the count with its `value`. " +
			"The file is read anew by each call; a bundle may carry it on its first line, and else it stands beside. A gate that cannot be evaluated, for an unknown operator, type, key or " +
			"severity, has failed with severity error and says why in `error`; so has a file that does not parse. " +
			"Without a gates.json the result is `{notConfigured: true}`.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, _ struct{}) (gatesResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return gatesResult{}, err
		}
		evaluation, configured := t.evaluate(s)
		if !configured {
			return gatesResult{NotConfigured: true}, nil
		}
		return gatesResult{GeneratedAt: t.timestamp(), Results: &evaluation.Results, Summary: &evaluation.Summary}, nil
	}, nil)
}

// evaluate evaluates the gates that the bundle carries, or else those of the
// folder; where only what is signed is served, those that were signed.
func (t *Toolset) evaluate(s *catalog.Snapshot) (gates.Evaluation, bool) {
	if t.signed != nil {
		beside, _ := t.beside() // it was read with the snapshot
		return gates.EvaluateIn(beside.Gates, s), beside.Gates != nil
	}
	switch own, err := t.source.Gates(); {
	case err != nil:
		return gates.Broken(err), true
	case own != nil:
		return gates.EvaluateIn(own, s), true
	}
	return gates.Evaluate(t.source.Folder(), s)
}
