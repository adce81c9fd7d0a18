package frontmatter

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle

// start returns where a node begins, -1 where that cannot be.
func (e editor) start(n *yaml.Node) int {
	at := 0
	for range n.Line - 1 {
		if _, at = e.line(at); at >= len(e.front) {
			break
		}
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(e.front[at:])
		at += size
	}
	if at >= len(e.front) || n.Line == 0 {
		return -1
	}
	return at
}

var breaks = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]") // as YAML has them

var properties = regexp.MustCompile(`^([&!]\S*\s+)*`) // an anchor, a tag

// line returns where the text of a line ends, and where the next one begins.
func (e editor) line(at int) (end, next int) {
	if found := breaks.FindIndex(e.front[at:]); found != nil {
		return at + found[0], at + found[1]
	}
	return len(e.front), len(e.front)
}

// lineStart and lineEnd widen to whole lines.
func (e editor) lineStart(at int) int { return bytes.LastIndexByte(e.front[:max(at, 0)], '\n') + 1 }

func (e editor) lineEnd(at int) int {
	if found := bytes.IndexByte(e.front[at:], '\n'); found >= 0 {
		return at + found + 1
	}
	return len(e.front)
}

// end returns where a node ends, without the blanks and the comment after it, -1
// where that cannot be told.
func (e editor) end(n *yaml.Node) int {
	at := e.start(n)
	if at < 0 {
		return -1
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&quoted != 0:
		return e.endQuoted(at, n)
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return e.endBlock(at)
	case n.Kind == yaml.ScalarNode:
		return e.endPlain(at, n.Value)
	case n.Kind == yaml.AliasNode:
		return at + len("*") + len(n.Value)
	case n.Style&yaml.FlowStyle != 0:
		return e.endFlow(at, n)
	case len(n.Content) > 0:
		return e.end(n.Content[len(n.Content)-1])
	}
	return -1
}

// afterColon returns where the value of a name may begin, -1 where that cannot be
// told.
func (e editor) afterColon(key *yaml.Node) int {
	end := e.end(key)
	if end < 0 {
		return -1
	}
	colon := bytes.IndexByte(e.front[end:], ':')
	if colon < 0 {
		return -1
	}
	return end + colon + 1
}

// endQuoted finds the closing quotation mark, after a tag or an anchor.
func (e editor) endQuoted(at int, n *yaml.Node) int {
	mark := byte('"')
	if n.Style&yaml.SingleQuotedStyle != 0 {
		mark = '\''
	}
	open := bytes.IndexByte(e.front[at:], mark)
	if open < 0 {
		return -1
	}
	for i := at + open + 1; i < len(e.front); i++ {
		switch {
		case mark == '"' && e.front[i] == '\\', mark == '\'' && bytes.HasPrefix(e.front[i:], []byte("''")):
			i++
		case e.front[i] == mark:
			return i + 1
		}
	}
	return -1
}

// endBlock finds the last line that is indented more than the field, which
// begins in the first column but for odd notes, that are caught when the result
// is read.
func (e editor) endBlock(at int) int {
	end, next := e.line(at)
	for next < len(e.front) {
		from := next
		var to int
		to, next = e.line(from)
		text := e.front[from:to]
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

// endPlain finds the end of a text without quotation marks by comparing it, word
// for word, with what was read: line breaks between words do not matter.
func (e editor) endPlain(at int, value string) int {
	at += len(properties.Find(e.front[at:]))
	for _, word := range bytes.Fields([]byte(value)) {
		found := bytes.Index(e.front[at:], word)
		if found < 0 {
			return -1
		}
		at += found + len(word)
	}
	return at
}

// endFlow finds the closing bracket after the last member.
func (e editor) endFlow(at int, n *yaml.Node) int {
	mark := byte(']')
	if n.Kind == yaml.MappingNode {
		mark = '}'
	}
	if len(n.Content) > 0 {
		if at = e.end(n.Content[len(n.Content)-1]); at < 0 {
			return -1
		}
	}
	for at < len(e.front) {
		switch e.front[at] {
		case mark:
			return at + 1
		case '#':
			_, at = e.line(at)
		default:
			at++
		}
	}
	return -1
}
