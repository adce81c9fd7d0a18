package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
)

// split sets the ranges of the front matter and the body.
func (d *Document) split(file []byte) {
	start := len(file) - len(files.TrimByteOrderMark(file))
	d.Body = Span{start, len(file)}
	if front, body, _ := frontmatter.Cut(file[start:]); front != nil {
		fence, _ := frontmatter.CutLine(file[start:])
		start += len(fence)
		d.HasFront, d.Front, d.Body = true, Span{start, start + len(front)}, Span{len(file) - len(body), len(file)}
	}
}

// frontMatter is the parsed front matter.
type frontMatter struct {
	title      string
	titleStart int
	tags       []string
	links      []Link
	err        error

	hasTags, hasTag bool
}

// The names of the front matter fields for tags.
const (
	tagsField = "tags"
	tagField  = "tag"
)

// frontText is front matter and its offset in the file.
type frontText struct {
	*frontmatter.Text
	file []byte
	at   int
}

func readFront(file []byte, span Span) (front frontMatter) {
	if size := span.End - span.Start; size > frontmatter.MaxSize {
		return frontMatter{err: fmt.Errorf("the front matter has %d bytes, and only 64 KiB are read", size)}
	}
	root, err := frontmatter.Parse(span.Of(file))
	if err != nil || root == nil {
		front.err = err
		return front
	}
	text := frontText{frontmatter.NewText(span.Of(file)), file, span.Start}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, frontmatter.Resolve(root.Content[i+1])
		switch {
		case name == "title" && value.Kind == yaml.ScalarNode && value.ShortTag() != "!!null" && front.title == "":
			front.title, front.titleStart = notBlank(value.Value), text.at+max(text.Start(value), 0)
		case name == tagsField && !front.hasTags:
			front.hasTags = true
			front.tags = append(front.tags, tagsOf(value)...)
		case name == tagField && !front.hasTag:
			front.hasTag = true
			front.tags = append(front.tags, tagsOf(value)...)
		}
	}
	front.links = text.quotedLinks(root, nil)
	slices.SortStableFunc(front.links, func(a, b Link) int { return a.Start - b.Start })
	return front
}

// frontError returns the line of the file that has the error, and the error itself.
func frontError(err error) (int, error) {
	if at, ok := errors.AsType[*frontmatter.Error](err); ok {
		return at.Line + 1, at.Err
	}
	return 1, err
}

// tagsOf returns the tags of a list, or of a text in which commas or blanks separate them.
func tagsOf(n *yaml.Node) (tags []string) {
	if n.Kind != yaml.SequenceNode {
		separates := func(r rune) bool { return r == ',' || unicode.IsSpace(r) }
		for _, tag := range strings.FieldsFunc(scalarOf(n), separates) {
			tags = appendTag(tags, tag)
		}
		return tags
	}
	for _, node := range n.Content {
		tags = appendTag(tags, scalarOf(frontmatter.Resolve(node)))
	}
	return tags
}

// scalarOf returns the text of a scalar, or "" for null and for other nodes.
func scalarOf(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}

func appendTag(tags []string, text string) []string {
	if tag := TrimTag(text); tag != "" {
		return append(tags, tag)
	}
	return tags
}

// once returns the tags without duplicates, and the tags that occur more than once, each
// listed once.
func once(tags []string) (kept, again []string) {
	times := map[string]int{}
	for _, tag := range tags {
		switch times[tag]++; times[tag] {
		case 1:
			kept = append(kept, tag)
		case 2:
			again = append(again, tag)
		}
	}
	return kept, again
}

func notBlank(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// quotedLinks appends the wikilinks in the quoted values of n and its descendants to links.
func (t frontText) quotedLinks(n *yaml.Node, links []Link) []Link {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && strings.Contains(n.Value, "[[") {
		if start, end, mark := t.Quoted(n); start >= 0 {
			links = wikiLinksIn(t.file, Span{t.at + start, t.at + end}, mark, links)
		}
		return links
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			links = t.quotedLinks(child, links)
		}
	}
	return links
}
