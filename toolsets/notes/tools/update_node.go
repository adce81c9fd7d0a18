package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/writing"
)

type updateParams struct {
	ID      string               `json:"id"`
	Title   *string              `json:"title"`
	Content *string              `json:"content"`
	Append  *string              `json:"append"`
	Section *writing.Section     `json:"section"`
	Replace *writing.Replacement `json:"replace"`
	Tags    *[]string            `json:"tags"`
	IfHash  string               `json:"ifHash"`
	// Truncate allows content that is hardly longer than the shown part of a longer note
	// or section.
	Truncate bool `json:"truncate"`
	DryRun   bool `json:"dryRun"`
}

// part returns the edit of a part of the content, or nil if there is none. It returns an
// error if more than one kind of edit is given.
func (p *updateParams) part() (*writing.Part, error) {
	given := 0
	for _, is := range []bool{p.Content != nil, p.Append != nil, p.Section != nil, p.Replace != nil} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, invalid("give one of content, append, section and replace")
	case given == 0 || p.Content != nil:
		return nil, nil
	}
	return &writing.Part{Append: p.Append, Section: p.Section, Replace: p.Replace}, nil
}

func (t *toolset) updateNode() rpc.Method {
	return declareWriting(t, "update_node", rpc.Method{
		Title:   "Update a note",
		Summary: "Update an existing node.",
		Doc: "At least one of `title`, `tags` and one of `content`, `append`, `section` and `replace` is needed. To change a part of a " +
			"long note, use `section`, `append` or `replace`. Only what is given changes: other front matter, its comments " +
			"and line ends stay. A title with another file name renames the file, and every link to it in other notes follows, in " +
			"the form that it has; the answer has the new ID. Links by a title that stands in the content follow it, too. Content that " +
			"ends with \"... [truncated]\", as answers end that show the beginning of a longer note, is refused. So is content, of a note or " +
			"of a section, that is hardly longer than what was shown of a longer one, unless `truncate` is true: read all of it first. " +
			"Where more than half of the content is dropped, or the end of a note of more than 200 characters, or more than 500 characters " +
			"of a note that no answer shows whole, the file as it was goes to `.trash`. With `ifHash`, the hash that `get_node` gave, a " +
			"note that has changed since is left as it is. With `dryRun` nothing is written, and `would` names the notes and lines that " +
			"would change.",
		Effect: rpc.Updates,
	}, func(ctx context.Context, w *writing.Writer, p updateParams) (*writeResult, error) {
		part, err := p.part()
		if err != nil {
			return nil, err
		}
		if p.DryRun {
			w = w.DryRun()
		}
		changed, err := w.Update(ctx, writing.Update{
			ID: p.ID, Title: p.Title, Content: p.Content, Part: part, Tags: p.Tags, IfHash: p.IfHash,
			Check: func(n *notes.Note) error { return t.checkShown(p, part, n) },
		})
		var tags []string
		if p.Tags != nil {
			tags = *p.Tags
		}
		return t.written(ctx, changed, tags, err)
	})
}

// checkShown rejects content if the client may have been shown only a part of the note
// or section and mistaken that part for the whole.
func (t *toolset) checkShown(p updateParams, part *writing.Part, n *notes.Note) error {
	if p.Truncate {
		return nil
	}
	if p.Section != nil {
		return t.checkSection(p.Section, part, n)
	}
	if p.Content == nil {
		return nil
	}
	content, length, longest := utf8.RuneCountInString(*p.Content), n.Length(), t.shown.longest(n)
	if longest == 0 || content >= length || 10*content > 11*longest {
		return nil
	}
	return invalid(fmt.Sprintf("content has %d characters and the note %d, of which answers have shown no more than %d at a time: "+
		"read the rest with contentOffset and send all of it, or set truncate to true to drop the rest", content, length, longest))
}

func (t *toolset) checkSection(section *writing.Section, part *writing.Part, n *notes.Note) error {
	start, end, _, err := part.Replaces(n)
	if err != nil {
		return err
	}
	text := []rune(n.Content())[start:end]
	end -= len(text) - len([]rune(strings.TrimRight(string(text), " \t\r\n")))
	start += len(text) - len([]rune(strings.TrimLeft(string(text), " \t\r\n")))
	content, length, longest := utf8.RuneCountInString(section.Content), end-start, t.shown.longestOf(n, span{start, end})
	if longest == 0 || longest >= length || content >= length || 10*content > 11*longest {
		return nil
	}
	return invalid(fmt.Sprintf("section.content has %d characters and the section %d, of which answers have shown %d: "+
		"read from contentOffset %d on and send all of it, or set truncate to true to drop the rest", content, length, longest, start))
}
