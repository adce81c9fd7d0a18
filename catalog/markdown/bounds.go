package markdown

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The following limits keep the time and memory of a parse proportional to the size of the
// text. goldmark alone takes minutes for a few hundred kilobytes of "> > > …".
const (
	// maxFile is the maximum size, in bytes, of a file to parse.
	maxFile = 4 << 20
	// maxOpenBlocks is the maximum number of open blocks. A nested list item counts twice,
	// as a list and as an item.
	maxOpenBlocks = 200
	// stepsPerByte and freeSteps limit how often open quotes and lists may continue on
	// another line, because goldmark stores each continuation. A part may use freeSteps
	// steps, and stepsPerByte more for each of its bytes.
	stepsPerByte = 2
	freeSteps    = 16 << 10
	// maxLines is the maximum number of lines of a paragraph. The rest of a longer
	// paragraph is parsed as the next one.
	maxLines = 1000
	// maxOpenBrackets is the maximum number of open brackets in a paragraph. While that
	// many are open, no further link begins.
	maxOpenBrackets = 100
	// maxScanned is the number of bytes that one parse may scan in search of link ends
	// that do not exist.
	maxScanned = 4 << 20
	// maxHeading is the maximum size, in bytes, of the text of a heading.
	maxHeading = 4 << 10
)

var (
	errTooLarge = fmt.Errorf("it is larger than %d MiB: split it up", maxFile>>20)
	errNested   = errors.New("its quotes and lists are nested too deeply: make them flatter")
)

// budget holds the remaining limits of one parse.
type budget struct {
	steps    int
	scanned  int
	brackets int // number of open brackets in the paragraph
	err      error
}

var budgetKey = parser.NewContextKey()

func budgetOf(pc parser.Context) *budget { return pc.Get(budgetKey).(*budget) }

// parse returns goldmark's tree of a text. If it returns an error, the tree does not cover
// the whole text.
func parse(p parser.Parser, source []byte) (ast.Node, error) {
	b := &budget{steps: freeSteps + stepsPerByte*len(source)}
	pc := parser.NewContext()
	pc.Set(budgetKey, b)
	tree := p.Parse(text.NewReader(source), parser.WithContext(pc))
	return tree, b.err
}

// blockParsers returns the block parsers of CommonMark, with limits.
func blockParsers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		switch p.Value {
		case parser.NewListParser(), parser.NewListItemParser(), parser.NewBlockquoteParser():
			all[i].Value = container{p.Value.(parser.BlockParser)}
		case parser.NewParagraphParser():
			all[i].Value = paragraph{p.Value.(parser.BlockParser)}
		}
	}
	return all
}

// container parses quotes, lists or list items.
type container struct{ parser.BlockParser }

// Open opens a container. It fails the parse if too many blocks are open.
func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	b := budgetOf(pc)
	if len(pc.OpenedBlocks()) >= maxOpenBlocks {
		b.err = errNested
	}
	if b.err != nil {
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// Continue closes the container, and fails the parse, when no steps are left.
func (c container) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	b := budgetOf(pc)
	if b.steps--; b.steps < 0 {
		b.err = errNested
	}
	if b.err != nil {
		return parser.Close
	}
	return c.BlockParser.Continue(node, reader, pc)
}

// paragraph parses paragraphs of at most maxLines lines.
type paragraph struct{ parser.BlockParser }

// Open opens a paragraph. If the open paragraph already has maxLines lines, Open starts
// another one.
func (p paragraph) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if last, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph); ok && last.Lines().Len() < maxLines {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// CanInterruptParagraph returns true. Open decides whether to interrupt.
func (paragraph) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine returns true, because every line of a long paragraph may be
// indented.
func (paragraph) CanAcceptIndentedLine() bool { return true }

// links parses links within the limits.
type links struct{ parser.InlineParser }

// Parse returns the link, or the possible start of a link, at the current position in
// block, or nil.
func (p links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	b := budgetOf(pc)
	switch {
	case line[0] == ']':
		b.brackets = max(b.brackets-1, 0)
	case line[0] == '!' && !bytes.HasPrefix(line, []byte("![")), b.brackets == maxOpenBrackets:
		return nil
	default:
		b.brackets++
	}
	if !bytes.HasPrefix(line, []byte("](")) {
		return p.InlineParser.Parse(parent, block, pc)
	}
	if b.scanned > maxScanned {
		return nil
	}
	link := p.InlineParser.Parse(parent, block, pc)
	if link == nil {
		b.scanned += len(line)
	}
	return link
}

// CloseBlock resets the number of open brackets at the end of a block.
func (p links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	budgetOf(pc).brackets = 0
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}
