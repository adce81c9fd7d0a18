package tools

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/writing"
)

type deleteParams struct {
	ID     string `json:"id"`
	IfHash string `json:"ifHash"`
}

type deleted struct {
	Deleted bool `json:"deleted"`
}

func (t *toolset) deleteNode() rpc.Method {
	return declareWriting(t, "delete_node", rpc.Method{
		Title:   "Delete a node",
		Summary: "Delete a node.",
		Doc: "The file moves to the folder `.trash` of the vault, from where people can take it back. A node that does not exist is no " +
			"error. With `ifHash`, the hash that `get_node` gave, a note that has changed since stays.",
		Effect: rpc.Deletes, Repeatable: true,
	}, func(ctx context.Context, w *writing.Writer, p deleteParams) (deleted, error) {
		done, err := w.Delete(ctx, p.ID, p.IfHash)
		t.Vault.Expire()
		return deleted{done}, err
	})
}
