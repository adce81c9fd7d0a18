package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type integrityParams struct {
	Detail bool `json:"detail"`
	Origin bool `json:"origin"` // whether to add the location of each issue
}

type integrityResult struct {
	Hash        catalog.Fingerprint   `json:"hash"`
	Count       int                   `json:"count"` // of entries
	Issues      []issue               `json:"issues"`
	IssueCount  int                   `json:"issueCount"`
	Diagnostics *[]catalog.Diagnostic `json:"diagnostics,omitempty"`
}

// Size implements rpc.Sized. A recorded hash can be any text, and each diagnostic
// repeats its path, so the lengths of both are counted.
func (r integrityResult) Size() (total, made int) {
	const names = 100 // upper bound for the member names and short values, in bytes
	for _, i := range r.Issues {
		total += names + len(i.ID) + len(i.Expected)
		if i.Origin != nil {
			total += names + len(i.Origin.Path)
		}
	}
	if r.Diagnostics != nil {
		for _, d := range *r.Diagnostics {
			total += names + len(d.Path) + len(d.Message)
		}
	}
	return names + total, names + total
}

// issue is an entry whose body does not match its hash.
type issue struct {
	catalog.Drift
	Origin *origin `json:"origin,omitempty"` // set if requested
}

func (t *Toolset) integrity() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "integrity/verify",
		Title:   "Verify the files' integrity",
		Summary: "Whether every body still matches its hash.",
		Doc: "Reads every file again. `expected` is the hash that the file recorded when it was loaded, else the one " +
			"computed then; `actual` is that of the current body, empty if the file is gone or no longer an instruction. " +
			"A recorded hash may be of the exact body, of the trimmed body, or of the body with newlines and trailing spaces " +
			"normalised. With `detail`, the result also has the diagnostics of the load. Since 1.4, with `origin` " +
			"each issue has the place from which its entry was loaded. " +
			"Runs beside other calls.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Lane: rpc.Concurrent,
	}, func(ctx context.Context, p integrityParams) (integrityResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return integrityResult{}, err
		}
		drifts, err := t.verify(ctx, s)
		if err != nil {
			return integrityResult{}, err
		}
		result := integrityResult{Hash: s.Hash(), Count: len(s.Entries()), Issues: issuesOf(s, drifts, p.Origin), IssueCount: len(drifts)}
		if p.Detail {
			diagnostics := append([]catalog.Diagnostic{}, s.Diagnostics()...)
			result.Diagnostics = &diagnostics
		}
		return result, nil
	}, nil)
}

// verify rereads all files, using every processor. Calls run one at a time: parallel
// calls would be no faster and would use several times the memory.
func (t *Toolset) verify(ctx context.Context, s *catalog.Snapshot) ([]catalog.Drift, error) {
	select {
	case t.verifying <- struct{}{}:
		defer func() { <-t.verifying }()
		return s.Verify(ctx, t.source.Reread, rpc.ProgressOf(ctx))
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func issuesOf(s *catalog.Snapshot, drifts []catalog.Drift, withOrigin bool) []issue {
	issues := make([]issue, len(drifts))
	for i, d := range drifts {
		issues[i].Drift = d
		if e, ok := s.Get(string(d.ID)); ok && withOrigin {
			issues[i].Origin = originOf(s, e)
		}
	}
	return issues
}
