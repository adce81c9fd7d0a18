package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/writing"
)

// Error codes of the contract that only writing methods return.
const (
	nodeExists   = "NODE_EXISTS"
	nodeNotFound = "NODE_NOT_FOUND"
)

// declareWriting completes the declaration of a method that changes notes.
func declareWriting[P, R any](t *toolset, tool string, m rpc.Method, handle func(context.Context, *writing.Writer, P) (R, error)) rpc.Method {
	m.Name, m.Tool = "notes/"+tool, rpc.Tool{Name: tool, Default: true}
	m.Since, m.Stability, m.Lane = "1.0", rpc.Stable, rpc.Ordered
	return rpc.Declare(m, func(ctx context.Context, params P) (result R, err error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if result, err = handle(ctx, t.Writer, params); err != nil {
			t.Vault.Expire() // the change may be partly done
		}
		return result, t.explain(m.Name, t.explainWriting(m.Name, err))
	}, nil)
}

// writeResult is the changed note, or the effects of a dry run.
type writeResult struct {
	note *singleNode
	dry  *dryRun
}

// dryRun lists the lines of the existing files that would change.
type dryRun struct {
	ID       notes.ID         `json:"id"` // the id that the note would have
	Would    []writing.Effect `json:"would"`
	Warnings []string         `json:"_warnings,omitempty"`
}

// Shape implements rpc.Shaped.
func (r *writeResult) Shape() any {
	return struct {
		*singleNode
		Would []writing.Effect `json:"would"`
	}{}
}

// EncodeJSON implements rpc.Encoder.
func (r *writeResult) EncodeJSON() rpc.JSON {
	if r.dry != nil {
		return mustEncode(r.dry)
	}
	return mustEncode(r.note)
}

// written returns the changed note, or the effects of a dry run. It adds a warning for
// each duplicate in tags. If the id or title changed, it also adds a warning for each
// note that is not parsed, because links there are not rewritten.
func (t *toolset) written(ctx context.Context, changed writing.Changed, tags []string, err error) (*writeResult, error) {
	if err != nil {
		return nil, err
	}
	if changed.Would != nil {
		return &writeResult{dry: &dryRun{changed.ID, changed.Would, capped(slices.Concat(changed.Warnings, duplicates(tags)))}}, nil
	}
	s, err := t.Vault.Look(ctx)
	if err != nil {
		return nil, err
	}
	n, err := s.Find(string(changed.ID))
	if err == nil && n == nil {
		err = &writing.NotFoundError{ID: string(changed.ID)} // deleted in the meantime
	}
	if err != nil {
		return nil, err
	}
	before := changed.Before
	if before != nil {
		t.shown.rename(before.ID, n.ID)
	}
	shown := t.newSingleNode(s, n)
	warnings := slices.Concat(changed.Warnings, duplicates(tags))
	if before != nil && (before.ID != n.ID || before.Title() != n.Title()) {
		warnings = append(warnings, notRelinked(s, n)...)
	}
	shown.Warnings = capped(append(warnings, shown.Warnings...))
	return &writeResult{note: &shown}, nil
}

// notRelinked returns a warning for each note other than n that is not parsed or too
// large to be read.
func notRelinked(s *notes.Snapshot, n *notes.Note) (warnings []string) {
	for _, other := range s.Notes() {
		if other.Parts.BodyError != nil && other != n {
			warnings = append(warnings, fmt.Sprintf("Not parsed: links in %s are not rewritten", other.ID))
		}
	}
	for _, u := range s.Unread() {
		if u.Kind == notes.TooLarge {
			warnings = append(warnings, fmt.Sprintf("Not parsed: links in %s are not rewritten", u.Path))
		}
	}
	return warnings
}

func duplicates(tags []string) (warnings []string) {
	for i, tag := range tags {
		warning := "Duplicate tag ignored: " + tag
		if slices.Contains(tags[:i], tag) && !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// explainWriting converts errors of package writing to errors of the contract. Errors
// that read-only methods also return are left for explain to convert.
func (t *toolset) explainWriting(method string, err error) error {
	if said, ok := errors.AsType[*rpc.Error](err); ok {
		return said
	}
	if param, ok := errors.AsType[*writing.ParamError](err); ok {
		return invalid(param.Error())
	}
	_, ambiguous := errors.AsType[*notes.AmbiguousError](err)
	_, unread := errors.AsType[*notes.UnreadError](err)
	switch {
	case err == nil, ambiguous, unread, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, writing.ErrExists):
		return newError(rpc.Conflict, nodeExists, err.Error())
	case errors.Is(err, writing.ErrNotFound):
		return newError(rpc.NotFound, nodeNotFound, err.Error())
	case errors.Is(err, writing.ErrFrontMatter):
		return newError(rpc.Unavailable, providerError, err.Error())
	}
	t.Log.Error("the vault of notes could not be changed", "method", method, "error", err)
	return newError(rpc.Unavailable, providerError, writing.Explain(err)+" The log of this server has the cause.")
}
