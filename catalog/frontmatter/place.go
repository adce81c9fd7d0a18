package frontmatter

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle

// Text is front matter prepared for locating nodes.
type Text struct {
	front []byte
	lines []int // offset of each line
}

// NewText returns a Text for the front matter that nodes were parsed from.
func NewText(front []byte) *Text {
	t := &Text{front, []int{0}}
	for _, found := range breaks.FindAllIndex(front, -1) {
		t.lines = append(t.lines, found[1])
	}
	return t
}

// Start returns the offset of a node, or -1 if the text is too short.
func (t *Text) Start(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.lines) {
		return -1
	}
	at := t.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(t.front[at:])
		at += size
	}
	if at >= len(t.front) {
		return -1
	}
	return at
}

// Quoted returns the offsets of the text between the quotation marks of a quoted value, and
// the mark. The offsets are -1 if the value cannot be located.
func (t *Text) Quoted(n *yaml.Node) (start, end int, mark byte) {
	mark = '"'
	if n.Style&yaml.SingleQuotedStyle != 0 {
		mark = '\''
	}
	at := t.Start(n)
	if at < 0 {
		return -1, -1, mark
	}
	open := bytes.IndexByte(t.front[at:], mark) // after a tag or an anchor
	if open < 0 {
		return -1, -1, mark
	}
	start = at + open + 1
	for i := start; i < len(t.front); i++ {
		switch {
		case mark == '"' && t.front[i] == '\\', mark == '\'' && bytes.HasPrefix(t.front[i:], []byte("''")):
			i++
		case t.front[i] == mark:
			return start, i, mark
		}
	}
	return -1, -1, mark
}

var breaks = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]") // the line breaks of YAML

var properties = regexp.MustCompile(`^([&!]\S*\s+)*`) // anchors and tags

// line returns the end of the text of the line at offset at, and the start of the next
// line.
func (t *Text) line(at int) (end, next int) {
	if found := breaks.FindIndex(t.front[at:]); found != nil {
		return at + found[0], at + found[1]
	}
	return len(t.front), len(t.front)
}

// lineStart returns the start of the line that contains offset at.
func (t *Text) lineStart(at int) int { return bytes.LastIndexByte(t.front[:max(at, 0)], '\n') + 1 }

func (t *Text) lineEnd(at int) int {
	if found := bytes.IndexByte(t.front[at:], '\n'); found >= 0 {
		return at + found + 1
	}
	return len(t.front)
}

// end returns the offset at which a node ends, not counting blanks and a comment after it.
// It returns -1 if the end cannot be determined.
func (t *Text) end(n *yaml.Node) int {
	at := t.Start(n)
	if at < 0 {
		return -1
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&quoted != 0:
		if _, end, _ := t.Quoted(n); end >= 0 {
			return end + 1
		}
		return -1
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return t.endBlock(at)
	case n.Kind == yaml.ScalarNode:
		return t.endPlain(at, n.Value)
	case n.Kind == yaml.AliasNode:
		return at + len("*") + len(n.Value)
	case n.Style&yaml.FlowStyle != 0:
		return t.endFlow(at, n)
	case len(n.Content) > 0:
		return t.end(n.Content[len(n.Content)-1])
	}
	return -1
}

// afterColon returns the offset after the colon that follows key, or -1 if it cannot be
// determined.
func (t *Text) afterColon(key *yaml.Node) int {
	end := t.end(key)
	if end < 0 {
		return -1
	}
	colon := bytes.IndexByte(t.front[end:], ':')
	if colon < 0 {
		return -1
	}
	return end + colon + 1
}

// endBlock returns the end of a block scalar: the end of its last indented line. It assumes
// that the field begins in the first column. If it does not, the result may be wrong;
// reading back the edited text detects that.
func (t *Text) endBlock(at int) int {
	end, next := t.line(at)
	for next < len(t.front) {
		from := next
		var to int
		to, next = t.line(from)
		text := t.front[from:to]
		switch blank := len(bytes.TrimSpace(text)) == 0; {
		case blank:
		case text[0] != ' ':
			return end
		default:
			end = to
		}
	}
	return end
}

// endPlain returns the end of a value without quotation marks. It compares the text with
// the parsed value word by word, so line breaks between words do not matter.
func (t *Text) endPlain(at int, value string) int {
	at += len(properties.Find(t.front[at:]))
	for _, word := range bytes.Fields([]byte(value)) {
		found := bytes.Index(t.front[at:], word)
		if found < 0 {
			return -1
		}
		at += found + len(word)
	}
	return at
}

// endFlow returns the offset after the closing bracket that follows the last element.
func (t *Text) endFlow(at int, n *yaml.Node) int {
	mark := byte(']')
	if n.Kind == yaml.MappingNode {
		mark = '}'
	}
	if len(n.Content) > 0 {
		if at = t.end(n.Content[len(n.Content)-1]); at < 0 {
			return -1
		}
	}
	for at < len(t.front) {
		switch t.front[at] {
		case mark:
			return at + 1
		case '#':
			_, at = t.line(at)
		default:
			at++
		}
	}
	return -1
}
