package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
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

// yamlText is front matter, and where its lines begin in the file.
type yamlText struct {
	file  []byte
	span  Span
	lines []int
}

func newYAMLText(file []byte, span Span) *yamlText {
	y := &yamlText{file, span, []int{span.Start}}
	for i, c := range span.Of(file) {
		if c == '\n' {
			y.lines = append(y.lines, span.Start+i+1)
		}
	}
	return y
}

func readFront(file []byte, span Span) (front frontMatter) {
	if size := span.End - span.Start; size > frontmatter.MaxSize {
		return frontMatter{err: fmt.Errorf("the front matter has %d bytes, of which 64 KiB are read", size)}
	}
	y := newYAMLText(file, span)
	root, err := loadYAML(span.Of(file))
	if err != nil || root == nil {
		front.err = err
		return front
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, resolved(root.Content[i+1])
		switch {
		case name == "title" && value.Kind == yaml.ScalarNode && value.ShortTag() != "!!null" && front.title == "":
			front.title, front.titleStart = notBlank(value.Value), y.startOf(value)
		case name == "tags" && front.tags == nil:
			front.tags = tagsOf(value)
		}
	}
	front.links = y.quotedLinks(root, nil)
	slices.SortStableFunc(front.links, func(a, b Link) int { return a.Start - b.Start })
	return front
}

// loadYAML returns the mapping, nil where there is nothing.
func loadYAML(text []byte) (*yaml.Node, error) {
	documents, err := frontmatter.Load(text)
	switch {
	case err != nil || len(documents) == 0:
		return nil, err
	case len(documents) > 1:
		return nil, errDocuments
	}
	switch root := documents[0]; {
	case root.ShortTag() == "!!null":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, errNoMapping
	default:
		return root, nil
	}
}

// described returns the line of the file where an error is, and what it says beside
// that.
func described(err error) (int, error) {
	if at, ok := errors.AsType[*yaml.LoadError](err); ok {
		return max(at.Mark.Line, 1) + 1, errors.New(at.Message)
	}
	return 1, err
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

// once returns what is there for the first time, and what is there again, each
// once.
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

// quotedLinks appends the wikilinks in quoted values at and below a node.
func (y *yamlText) quotedLinks(n *yaml.Node, links []Link) []Link {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && strings.Contains(n.Value, "[[") {
		text, quote := y.quotedText(n)
		return wikiLinksIn(y.file, text, quote, links)
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			links = y.quotedLinks(child, links)
		}
	}
	return links
}

// startOf returns where a node begins, or somewhere in the front matter where the
// library counts lines in another way.
func (y *yamlText) startOf(n *yaml.Node) int {
	at := y.lines[min(n.Line, len(y.lines))-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(y.file[at:y.span.End])
		at += size
	}
	return at
}

// quotedText returns where the text of a quoted value is, within its quotation
// marks.
func (y *yamlText) quotedText(n *yaml.Node) (text Span, quote byte) {
	quote = '"'
	if n.Style&yaml.SingleQuotedStyle != 0 {
		quote = '\''
	}
	front := y.file[:y.span.End]
	at := y.startOf(n)
	start := at + bytes.IndexByte(front[at:], quote) + 1 // after a tag or an anchor
	for end := start; end < len(front); end++ {
		switch {
		case quote == '"' && front[end] == '\\', quote == '\'' && bytes.HasPrefix(front[end:], []byte("''")):
			end++
		case front[end] == quote:
			return Span{start, end}, quote
		}
	}
	return Span{start, start}, quote
}
