package tools

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/writing"
)

type updateParams struct {
	ID      string    `json:"id"`
	Title   *string   `json:"title"`
	Content *string   `json:"content"`
	Tags    *[]string `json:"tags"`
	IfHash  string    `json:"ifHash"`
}

func (t *toolset) updateNode() rpc.Method {
	return declareWriting(t, "update_node", rpc.Method{
		Title:   "Update a node",
		Summary: "Update an existing node.",
		Doc: "At least one of `title`, `content` and `tags` is needed. Only what is given changes: other front matter, its comments " +
			"and line ends stay. A title with another file name renames the file, and every link to it in other notes follows, in " +
			"the form that it has; the answer has the new ID. Links by a title that stands in the content follow it, too. Content that ends with \"... [truncated]\", as answers end that show the beginning of a longer note, does not replace such a note. With `ifHash`, the hash that `get_node` gave, a note that has changed " +
			"since is left as it is.",
		Effect: rpc.Updates,
	}, func(ctx context.Context, w *writing.Writer, p updateParams) (*singleNode, error) {
		before := t.find(ctx, p.ID)
		id, err := w.Update(ctx, writing.Update{ID: p.ID, Title: p.Title, Content: p.Content, Tags: p.Tags, IfHash: p.IfHash})
		var tags []string
		if p.Tags != nil {
			tags = *p.Tags
		}
		return t.written(ctx, id, tags, before, err)
	})
}
