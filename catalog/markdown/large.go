package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// partSize is about how much of a body is parsed at a time: goldmark's tree takes
// many times the memory of the text. Nearly all notes are smaller.
const partSize = 256 << 10

// parts cuts a body where that changes no link: before a line that is hardly
// indented and not in fenced code, after a blank one if there is one soon. A
// definition in another part than the link that uses it counts as a link by itself.
func parts(file []byte, span Span) (all []Span) {
	start, blank := span.Start, false
	var fence []byte
	for at := span.Start; at < span.End && span.End-start > partSize; {
		line, _, _ := bytes.Cut(file[at:span.End], []byte{'\n'})
		size := at - start
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		begins := indent < 4 && indent < len(line) && line[indent] != '\t' && line[indent] != '\r'
		if fence == nil && begins && (size > partSize && blank || size > 2*partSize) {
			all = append(all, Span{start, at})
			start = at
		}
		fence = fenceAfter(fence, line)
		blank = len(bytes.TrimSpace(line)) == 0
		at += len(line) + 1
	}
	return append(all, Span{start, span.End})
}

// fenceAfter returns the fence of the code that is open after a line, nil for none.
func fenceAfter(open, line []byte) []byte {
	line = bytes.TrimLeft(line, " ")
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return open
	}
	marks := line[:len(line)-len(bytes.TrimLeft(line, string(line[:1])))]
	switch {
	case open == nil && len(marks) >= 3 && (line[0] == '~' || !bytes.ContainsRune(line[len(marks):], '`')):
		return marks
	case open != nil && line[0] == open[0] && len(marks) >= len(open) && len(bytes.TrimSpace(line[len(marks):])) == 0:
		return nil
	}
	return open
}

// patientLinks are goldmark's links, up to bounds on how many are open, and on how often
// one is begun that does not end: each time costs the rest of the line.
type patientLinks struct{ parser.InlineParser }

// patience is how many bytes may be looked at in vain in one parse.
const patience = 64 << 20

// maxOpen is how many brackets may be open in a block: each takes memory, and ends in
// no link where there are so many.
const maxOpen = 10_000

var spentKey, openKey = parser.NewContextKey(), parser.NewContextKey()

// Parse returns the link, or what may become one, that the rest of the block begins
// with, or nil.
func (p patientLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	open, _ := pc.Get(openKey).(int)
	switch {
	case line[0] == ']':
		pc.Set(openKey, max(open-1, 0))
	case line[0] == '!' && !bytes.HasPrefix(line, []byte("![")), open == maxOpen:
		return nil
	default:
		pc.Set(openKey, open+1)
	}
	if !bytes.HasPrefix(line, []byte("](")) {
		return p.InlineParser.Parse(parent, block, pc)
	}
	spent, _ := pc.Get(spentKey).(int)
	if spent > patience {
		return nil
	}
	link := p.InlineParser.Parse(parent, block, pc)
	if link == nil {
		pc.Set(spentKey, spent+len(line))
	}
	return link
}

// CloseBlock is called where a block ends.
func (p patientLinks) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(openKey, nil)
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}
