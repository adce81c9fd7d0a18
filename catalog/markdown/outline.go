package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// Heading is a heading of a body.
type Heading struct {
	Level int
	Text  string // as it is written, on one line
	Start int    // where its line begins in the file
}

// blockParser finds blocks only.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(blockParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

// Headings returns the first headings of a body, at most limit. A body that is not
// parsed has none.
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
			start := part.Start + bytes.LastIndexByte(source[:max(n.Pos(), 0)], '\n') + 1
			found = append(found, Heading{h.Level, string(bytes.ToValidUTF8(rawHeading(source, h), []byte("\uFFFD"))), start})
			return ast.WalkSkipChildren, nil
		})
	}
	return found
}
