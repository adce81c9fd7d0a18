package tools

import (
	"context"
	"fmt"
	"unicode/utf8"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/writing"
)

type updateParams struct {
	ID      string    `json:"id"`
	Title   *string   `json:"title"`
	Content *string   `json:"content"`
	Tags    *[]string `json:"tags"`
	IfHash  string    `json:"ifHash"`
	// Truncate accepts content as short as what was shown of a longer note.
	Truncate bool `json:"truncate"`
}

func (t *toolset) updateNode() rpc.Method {
	return declareWriting(t, "update_node", rpc.Method{
		Title:   "Update a node",
		Summary: "Update an existing node.",
		Doc: "At least one of `title`, `content` and `tags` is needed. Only what is given changes: other front matter, its comments " +
			"and line ends stay. A title with another file name renames the file, and every link to it in other notes follows, in " +
			"the form that it has; the answer has the new ID. Links by a title that stands in the content follow it, too. Content that ends with \"... [truncated]\", as answers end that show the beginning of a longer note, does not replace another. Nor does content that is " +
			"hardly longer than what was shown of a longer note, unless `truncate` is true: read the note in parts first. Where more than " +
			"half of the content is dropped, or the end of a note of more than 200 characters, or more than 500 characters of a note that no answer shows whole, the file as it was goes to `.trash`. With `ifHash`, the hash that `get_node` gave, a note that has changed " +
			"since is left as it is.",
		Effect: rpc.Updates,
	}, func(ctx context.Context, w *writing.Writer, p updateParams) (*singleNode, error) {
		changed, err := w.Update(ctx, writing.Update{ID: p.ID, Title: p.Title, Content: p.Content, Tags: p.Tags, IfHash: p.IfHash,
			Check: func(n *notes.Note) error { return t.checkShown(p, n) }})
		var tags []string
		if p.Tags != nil {
			tags = *p.Tags
		}
		return t.written(ctx, changed, tags, err)
	})
}

// checkShown refuses content that may come from a client that takes the part of a
// note that it was shown for the whole.
func (t *toolset) checkShown(p updateParams, n *notes.Note) error {
	if p.Content == nil || p.Truncate {
		return nil
	}
	content, length, longest := utf8.RuneCountInString(*p.Content), n.Length(), t.shown.longest(n)
	if longest == 0 || content >= length || 10*content > 11*longest {
		return nil
	}
	return invalid(fmt.Sprintf("content has %d characters and the note %d, of which answers have shown no more than %d at a time: "+
		"read the rest with contentOffset and send all of it, or set truncate to true to drop the rest", content, length, longest))
}
