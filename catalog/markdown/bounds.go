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

// What follows keeps the time and the memory of a parse in proportion to the
// text. goldmark alone takes minutes for a few hundred kilobytes of "> > > …".
const (
	// maxFile is the size in bytes up to which a file is parsed.
	maxFile = 4 << 20
	// maxOpenBlocks is how many blocks may be open at a time. A nested list item
	// counts twice, as a list and as an item.
	maxOpenBlocks = 200
	// stepsPerByte is how often open quotes and lists may continue on another line,
	// for each byte of a part: goldmark remembers every time.
	stepsPerByte = 2
	freeSteps    = 16 << 10
	// maxLines is how many lines a paragraph has at most. The rest of a longer one
	// is read as the next paragraph.
	maxLines = 1000
	// maxOpenBrackets is how many brackets may be open in a paragraph. No link
	// begins where there are so many.
	maxOpenBrackets = 100
	// maxScanned is how many bytes may be scanned in one parse for the ends of
	// links that do not end.
	maxScanned = 4 << 20
	// maxHeading is how many bytes of a heading become the title.
	maxHeading = 4 << 10
)

var (
	errTooLarge = fmt.Errorf("it is larger than %d MiB: split it up", maxFile>>20)
	errNested   = errors.New("its quotes and lists are nested too deeply: make them flatter")
)

// budget is what one parse may still spend.
type budget struct {
	steps    int
	scanned  int
	brackets int // open in the paragraph
	err      error
}

var budgetKey = parser.NewContextKey()

func budgetOf(pc parser.Context) *budget { return pc.Get(budgetKey).(*budget) }

// parse returns goldmark's tree of a text. The error says why the tree is not that
// of the whole text.
func parse(p parser.Parser, source []byte) (ast.Node, error) {
	b := &budget{steps: freeSteps + stepsPerByte*len(source)}
	pc := parser.NewContext()
	pc.Set(budgetKey, b)
	tree := p.Parse(text.NewReader(source), parser.WithContext(pc))
	return tree, b.err
}

// blockParsers are those of CommonMark within bounds.
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

// Open opens a container unless too many blocks are open.
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

// Continue closes the container when all steps are spent.
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

// Open opens a paragraph, also in place of one that is long enough.
func (p paragraph) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if last, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph); ok && last.Lines().Len() < maxLines {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// CanInterruptParagraph reports true: Open decides.
func (paragraph) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine reports true: every line of a long paragraph may be indented.
func (paragraph) CanAcceptIndentedLine() bool { return true }

// links parses links within bounds.
type links struct{ parser.InlineParser }

// Parse returns the link, or what may become one, that the rest of the block begins
// with, or nil.
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

// CloseBlock is called at the end of a block.
func (p links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	budgetOf(pc).brackets = 0
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}
