package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// Heading is a heading of a body.
type Heading struct {
	Level int
	Text  string // source text of the heading, on one line
	Start int    // offset in the file at which its line begins
	End   int    // offset at which the text below it begins
	// Nested is true if the heading is in a quote or in a list.
	Nested bool
}

// blockParser parses blocks only, no inline elements.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(blockParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

// Headings returns the first limit headings of a body, or all if limit is negative. It
// returns nil if the body cannot be parsed.
func Headings(file []byte, body Span, limit int) (found []Heading) {
	if len(file) > maxFile {
		return nil
	}
	for _, part := range parts(file, body) {
		source := part.Of(file)
		tree, err := parse(blockParser, source)
		if err != nil {
			return nil
		}
		_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			h, ok := n.(*ast.Heading)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			if len(found) == limit {
				return ast.WalkStop, nil
			}
			start := bytes.LastIndexByte(source[:max(n.Pos(), 0)], '\n') + 1
			found = append(found, Heading{
				Level: h.Level, Text: string(bytes.ToValidUTF8(rawHeading(source, h), []byte("\uFFFD"))),
				Start: part.Start + start, End: part.Start + headingEnd(source, start, h), Nested: n.Parent().Kind() != ast.KindDocument,
			})
			return ast.WalkSkipChildren, nil
		})
	}
	return found
}

// headingEnd returns the offset after the last line of a heading. A heading that does not
// begin with "#" is underlined, so its underline is the last line.
func headingEnd(source []byte, start int, h *ast.Heading) int {
	end := start
	if first := bytes.TrimLeft(source[start:], " "); len(first) == 0 || first[0] != '#' {
		if lines := h.Lines(); lines.Len() > 0 {
			end = lineEnd(source, lines.At(lines.Len()-1).Start)
		}
	}
	return lineEnd(source, end)
}

// lineEnd returns the offset after the line that contains offset at.
func lineEnd(source []byte, at int) int {
	if end := bytes.IndexByte(source[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(source)
}
