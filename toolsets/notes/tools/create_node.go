package tools

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/writing"
)

type createParams struct {
	Title     string   `json:"title"`
	Content   string   `json:"content"`
	Tags      []string `json:"tags"`
	Directory string   `json:"directory"`
	DryRun    bool     `json:"dryRun"`
}

func (t *toolset) createNode() rpc.Method {
	return declareWriting(t, "create_node", rpc.Method{
		Title:   "Create a note",
		Summary: "Create a new node (writes file for DocStore).",
		Doc: "The file's name is the title in lower case with hyphens for blanks; letters and digits of all scripts stay, other signs " +
			"do not. Title and tags are written into front matter and read back exactly. `NODE_EXISTS` where there is such a file " +
			"already, in another case or Unicode form too. A directory that is missing is made. Links that would lead to the new node, " +
			"and not any more to the one that they mean, are spelled so that they still do. " +
			"With `dryRun` nothing is written, and `would` names the notes and lines that would change.",
		Effect: rpc.Creates,
	}, func(ctx context.Context, w *writing.Writer, p createParams) (*writeResult, error) {
		if p.DryRun {
			w = w.DryRun()
		}
		made, err := w.Create(ctx, p.Directory, p.Title, p.Content, p.Tags)
		return t.written(ctx, made, p.Tags, err)
	})
}
