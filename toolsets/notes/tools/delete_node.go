package tools

import (
	"context"
	"errors"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/writing"
)

type deleteParams struct {
	ID     string `json:"id"`
	IfHash string `json:"ifHash"`
	DryRun bool   `json:"dryRun"`
}

type deleted struct {
	Deleted bool `json:"deleted"`
	// Would lists the effects of a dry run, which deletes nothing.
	Would   []writing.Effect `json:"would,omitzero"`
	nearest []string
}

// Meta implements rpc.Annotated.
func (d deleted) Meta() map[string]any { return nearestMeta(d.nearest) }

func (t *toolset) deleteNode() rpc.Method {
	return declareWriting(t, "delete_node", rpc.Method{
		Title:   "Delete a note",
		Summary: "Delete a node.",
		Doc: "The file moves to the folder `.trash` of the vault, from where people can take it back. A node that does not exist is no " +
			"error. With `ifHash`, the hash that `get_node` gave, a note that has changed since stays. " +
			"With `dryRun` nothing is deleted, and `would` names the note.",
		Effect: rpc.Deletes, Repeatable: true,
	}, func(ctx context.Context, w *writing.Writer, p deleteParams) (deleted, error) {
		if p.DryRun {
			w = w.DryRun()
		}
		done, err := w.Delete(ctx, p.ID, p.IfHash)
		t.Vault.Expire()
		if missing, ok := errors.AsType[*writing.NotFoundError](err); ok {
			result := deleted{nearest: missing.Nearest}
			if p.DryRun {
				result.Would = []writing.Effect{}
			}
			return result, nil
		}
		return deleted{Deleted: err == nil && !p.DryRun, Would: done.Would}, err
	})
}
