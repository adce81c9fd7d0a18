package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// cutWiki parses the wikilink, with its "[[", at the beginning of line. It returns its
// length in bytes and its parts, as offsets in line. ok is false unless the text between
// the brackets is on one line, has no brackets and has a non-empty target.
func cutWiki(line []byte) (length int, target, fragment, alias Span, ok bool) {
	if !bytes.HasPrefix(line, []byte("[[")) {
		return 0, target, fragment, alias, false
	}
	end := 2
	for ; ; end++ {
		if end+1 >= len(line) || line[end] == '\n' || line[end] == '[' {
			return 0, target, fragment, alias, false
		}
		if line[end] == ']' {
			break
		}
	}
	if line[end+1] != ']' {
		return 0, target, fragment, alias, false
	}
	inner := Span{2, end}
	alias = Span{end, end}
	if bar := bytes.IndexByte(inner.Of(line), '|'); bar >= 0 {
		alias.Start = 2 + bar + 1
		inner.End = 2 + bar
		if inner.End > 2 && line[inner.End-1] == '\\' { // escaped bar in a table
			inner.End--
		}
	}
	fragment = Span{inner.End, inner.End}
	if hash := bytes.IndexByte(inner.Of(line), '#'); hash >= 0 {
		fragment.Start = 2 + hash
	}
	target = trimmed(line, Span{2, fragment.Start})
	return end + 2, target, fragment, alias, target.Start < target.End
}

// trimmed returns the span without the blanks at the beginning and at the end of its text.
func trimmed(text []byte, s Span) Span {
	inner := s.Of(text)
	left := len(inner) - len(bytes.TrimLeft(inner, " \t"))
	return Span{s.Start + left, max(s.Start+left, s.Start+len(bytes.TrimRight(inner, " \t")))}
}

// wiki returns the wikilink at offset start of the file. target and fragment are relative
// to start.
func wiki(file []byte, start int, target, fragment Span) Link {
	target = Span{start + target.Start, start + target.End}
	return Link{
		Name:     string(bytes.ToValidUTF8(target.Of(file), []byte("\uFFFD"))),
		Start:    start,
		Target:   target,
		Fragment: Span{start + fragment.Start, start + fragment.End},
		Form:     Wiki,
	}
}

// wikiLinksIn appends the wikilinks of a quoted front matter value to links. quote is the
// value's quotation mark.
func wikiLinksIn(file []byte, span Span, quote byte, links []Link) []Link {
	for at := span.Start; at < span.End; {
		length, target, fragment, _, ok := cutWiki(file[at:span.End])
		if !ok {
			at++
			continue
		}
		l := wiki(file, at, target, fragment)
		l.Quote = quote
		l.Embed = at > span.Start && file[at-1] == '!'
		links = append(links, l)
		at += length
	}
	return links
}

// wikiNode is a wikilink in goldmark's tree.
type wikiNode struct {
	ast.BaseInline
	link  Link
	alias Span
}

var wikiKind = ast.NewNodeKind("Wikilink")

func (*wikiNode) Kind() ast.NodeKind { return wikiKind }

// Dump prints the node for debugging.
func (n *wikiNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// shown returns the text that is displayed for the link: its alias, or else its target and
// fragment.
func (n *wikiNode) shown(source []byte) []byte {
	if alias := trimmed(source, n.alias); alias.Start < alias.End {
		return alias.Of(source)
	}
	return Span{n.link.Target.Start, n.link.Fragment.End}.Of(source)
}

// wikiParser parses wikilinks. It runs before goldmark's parser of Markdown links.
type wikiParser struct{}

// Trigger returns the characters that may begin a wikilink.
func (wikiParser) Trigger() []byte { return []byte{'[', '!'} }

// Parse returns the wikilink at the current position in block, or nil.
func (wikiParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	embed := 0
	if line[0] == '!' {
		embed = 1
	}
	length, target, fragment, alias, ok := cutWiki(line[embed:])
	if !ok || segment.Padding > 0 {
		return nil
	}
	start := segment.Start + embed
	n := &wikiNode{link: wiki(block.Source(), start, target, fragment), alias: Span{start + alias.Start, start + alias.End}}
	n.link.Embed = embed == 1
	block.Advance(embed + length)
	return n
}
