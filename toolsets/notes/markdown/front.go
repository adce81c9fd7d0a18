package markdown

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/catalog/files"
)

// split says where the front matter and the body are.
func (d *Document) split(file []byte) {
	start := len(file) - len(files.TrimByteOrderMark(file))
	d.Body = Span{start, len(file)}
	front, ok := afterFence(file, start)
	if !ok {
		return
	}
	for at := front; at < len(file); {
		if body, ok := afterFence(file, at); ok {
			d.HasFront, d.Front, d.Body = true, Span{front, at}, Span{body, len(file)}
			return
		}
		end := bytes.IndexByte(file[at:], '\n')
		if end < 0 {
			return
		}
		at += end + 1
	}
}

// afterFence returns where the line ends that begins at an offset, if it is "---".
func afterFence(file []byte, at int) (int, bool) {
	if !bytes.HasPrefix(file[at:], []byte("---")) {
		return 0, false
	}
	line, _, ended := bytes.Cut(file[at:], []byte{'\n'})
	after := at + len(line)
	if ended {
		after++
	}
	return after, len(bytes.TrimRight(line, " \t\r")) == len("---")
}

// frontMatter is what the package reads of front matter.
type frontMatter struct {
	title      string
	titleStart int
	tags       []string
	links      []Link
	err        error
}

var (
	errNoMapping = errors.New(`the front matter has no "name: value" lines`)
	errDocuments = errors.New("the front matter holds a second YAML document")
)

func readFront(file []byte, span Span) (front frontMatter) {
	root, err := loadYAML(span.Of(file))
	if err != nil || root == nil {
		front.err = err
		return front
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, resolved(root.Content[i+1])
		switch {
		case name == "title" && value.Kind == yaml.ScalarNode && value.ShortTag() != "!!null" && front.title == "":
			front.title, front.titleStart = notBlank(value.Value), startOf(file, span, value)
		case name == "tags" && front.tags == nil:
			front.tags = tagsOf(value)
		}
	}
	front.links = quotedLinks(file, span, root, nil)
	slices.SortStableFunc(front.links, func(a, b Link) int { return a.Start - b.Start })
	return front
}

// loadYAML returns the mapping, nil where there is nothing.
func loadYAML(text []byte) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var first, second yaml.Node
	if err := loader.Load(&first); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if loader.Load(&second) != io.EOF {
		return nil, errDocuments
	}
	switch root := first.Content[0]; {
	case root.ShortTag() == "!!null":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, errNoMapping
	default:
		return root, nil
	}
}

// described returns what an error says without where, and the line of the file.
func described(err error) (error, int) {
	if at, ok := errors.AsType[*yaml.LoadError](err); ok {
		return errors.New(at.Message), max(at.Mark.Line, 1) + 1
	}
	return err, 1
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// tagsOf returns the tags of a list, or of a single value.
func tagsOf(n *yaml.Node) []string {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	tags := []string{}
	for _, node := range nodes {
		if node = resolved(node); node.Kind == yaml.ScalarNode && node.ShortTag() != "!!null" {
			tags = append(tags, node.Value)
		}
	}
	return tags
}

// once returns what is there for the first time, and what is there again.
func once(tags []string) (kept, again []string) {
	for _, tag := range tags {
		switch {
		case !slices.Contains(kept, tag):
			kept = append(kept, tag)
		case !slices.Contains(again, tag):
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

// quotedLinks appends the wikilinks in quoted values at and below a node.
func quotedLinks(file []byte, span Span, n *yaml.Node, links []Link) []Link {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && strings.Contains(n.Value, "[[") {
		text, quote := quotedText(file, span, n)
		return wikiLinksIn(file, text, quote, links)
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			links = quotedLinks(file, span, child, links)
		}
	}
	return links
}

// startOf returns where a node begins, or somewhere in the front matter where the
// library counts lines in another way.
func startOf(file []byte, span Span, n *yaml.Node) int {
	rest := span.Of(file)
	for range n.Line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(rest)
		rest = rest[size:]
	}
	return span.End - len(rest)
}

// quotedText returns where the text of a quoted value is, within its quotation
// marks.
func quotedText(file []byte, span Span, n *yaml.Node) (text Span, quote byte) {
	quote = '"'
	if n.Style&yaml.SingleQuotedStyle != 0 {
		quote = '\''
	}
	at := startOf(file, span, n)
	start := at + bytes.IndexByte(file[at:span.End], quote) + 1 // after a tag or an anchor
	for end := start; end < span.End; end++ {
		switch {
		case quote == '"' && file[end] == '\\', quote == '\'' && bytes.HasPrefix(file[end:span.End], []byte("''")):
			end++
		case file[end] == quote:
			return Span{start, end}, quote
		}
	}
	return Span{start, start}, quote
}
