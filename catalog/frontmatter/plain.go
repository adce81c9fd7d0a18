package frontmatter

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// readPlain reads front matter in the simple form that nearly all files use. It returns
// false for any other form. It exists for speed: for a Markdown file, a YAML library takes
// as long for the front matter as for everything else together. The result is the same as
// that of the library (YAML 1.2.2). If a single line needs the library, readPlain returns
// false.
//
//	name: a text, or a number
//	name: "a text" # or 'a text', without escapes; no comment
//	name: [text, "text"]
//	name:
//	  - text
//	# a comment on a line of its own
//
// If there are no fields, root is nil.
func readPlain(text string) (root *yaml.Node, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	var p plainReader
	for line := range strings.SplitSeq(text, "\n") {
		p.at++
		if !p.line(strings.TrimSuffix(line, "\r")) {
			return nil, false
		}
	}
	if len(p.fields) == 0 {
		return nil, true
	}
	p.endField()
	first := p.fields[0]
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: first.Line, Column: 1, Content: p.fields}, true
}

// plainReader reads front matter line by line. Its nodes equal those of the library, but
// have no comments.
type plainReader struct {
	at     int // number of the current line, from 1
	fields []*yaml.Node
	nodes  []yaml.Node // preallocated nodes that are not used yet
	bullet string      // indentation and dash of the items of the last list
}

// line reads a line. The text must not include the line end.
func (p *plainReader) line(text string) bool {
	switch {
	case !PlainCharacters(text):
		return false
	case text == "" || text[0] == '#':
		return true
	case text[0] == ' ' || text[0] == '-':
		return p.item(text)
	}
	p.endField()
	name, written, ok := CutName(text)
	if !ok || slices.Contains([]string{"true", "false", "null"}, strings.ToLower(name)) {
		return false
	}
	key := p.node(yaml.ScalarNode, "!!str", name, 1)
	value, ok := p.value(text, written)
	p.fields = append(p.fields, key, value)
	return ok
}

// endField sets the value of the last field to null if nothing followed its name.
func (p *plainReader) endField() {
	p.bullet = ""
	if last := len(p.fields) - 1; last >= 0 && p.fields[last] == nil {
		key := p.fields[last-1]
		n := p.node(yaml.ScalarNode, "!!null", "", key.Column+len(key.Value)+len(":"))
		n.Line = key.Line
		p.fields[last] = n
	}
}

// item reads an item of a list whose items are on the lines below its name.
func (p *plainReader) item(text string) bool {
	if len(p.fields) == 0 {
		return false
	}
	if list := p.fields[len(p.fields)-1]; list == nil {
		p.bullet = text[:len(text)-len(strings.TrimLeft(text, " "))] + "- "
		p.fields[len(p.fields)-1] = p.node(yaml.SequenceNode, "!!seq", "", len(p.bullet)-1)
	}
	if p.bullet == "" || !strings.HasPrefix(text, p.bullet) {
		return false
	}
	written := strings.Trim(text[len(p.bullet):], " ")
	item, ok := p.text(written, len(text)-len(strings.TrimLeft(text[len(p.bullet):], " "))+1)
	list := p.fields[len(p.fields)-1]
	list.Content = append(list.Content, item)
	return ok
}

func (p *plainReader) node(kind yaml.Kind, tag, value string, column int) *yaml.Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]yaml.Node, 16)
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	n.Kind, n.Tag, n.Value, n.Line, n.Column = kind, tag, value, p.at, column
	return n
}

// value reads the value after a name on the same line. It returns nil if the rest of the
// line is empty.
func (p *plainReader) value(line, written string) (*yaml.Node, bool) {
	column := strings.Index(line, ":") + 2
	column += len(line[column-1:]) - len(strings.TrimLeft(line[column-1:], " \t"))
	switch {
	case written == "":
		return nil, true
	case written[0] == '[':
		return p.list(written, column)
	case '0' <= written[0] && written[0] <= '9':
		return p.number(written, column)
	}
	return p.text(written, column)
}

// list reads a list in brackets.
func (p *plainReader) list(written string, column int) (*yaml.Node, bool) {
	inner, ok := strings.CutSuffix(written[1:], "]")
	if !ok || strings.ContainsAny(inner, "[]{}:#") {
		return nil, false
	}
	n := p.node(yaml.SequenceNode, "!!seq", "", column)
	n.Style = yaml.FlowStyle
	if strings.Trim(inner, " ") == "" {
		return n, true
	}
	column++
	for item := range strings.SplitSeq(inner, ",") {
		text := strings.TrimLeft(item, " ")
		element, ok := p.text(strings.TrimRight(text, " "), column+len(item)-len(text))
		if !ok {
			return nil, false
		}
		n.Content = append(n.Content, element)
		column += utf8.RuneCountInString(item) + len(",")
	}
	return n, true
}

// text reads a text with or without quotation marks.
func (p *plainReader) text(written string, column int) (*yaml.Node, bool) {
	if written == "" {
		return nil, false
	}
	if quote := written[:1]; quote == `"` || quote == `'` {
		inner, ok := strings.CutSuffix(written[1:], quote)
		n := p.node(yaml.ScalarNode, "!!str", inner, column)
		if n.Style = yaml.DoubleQuotedStyle; quote == `'` {
			n.Style = yaml.SingleQuotedStyle
		}
		return n, ok && !strings.ContainsAny(inner, quote+`\`)
	}
	ok := (IsLetter(written[0]) || written[0] >= utf8.RuneSelf) && !mayMeanMore(written)
	return p.node(yaml.ScalarNode, "!!str", written, column), ok
}

// number reads a value that begins with a digit: an integer, or a date with or without a
// time after a T.
func (p *plainReader) number(written string, column int) (*yaml.Node, bool) {
	if strings.Trim(written, "0123456789") == "" {
		const maxDigits = 9
		return p.node(yaml.ScalarNode, "!!int", written, column), len(written) <= maxDigits && (written[0] != '0' || written == "0")
	}
	layout := time.DateOnly
	if strings.Contains(written, "T") {
		layout = time.RFC3339Nano
	}
	_, err := time.Parse(layout, written)
	return p.node(yaml.ScalarNode, "!!timestamp", written, column), err == nil && !strings.Contains(written, ",")
}

// PlainCharacters reports whether text has no control characters and no other characters
// that YAML rejects or treats as a line end.
func PlainCharacters(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r >= 0x7F && r < 0xA0 || strings.ContainsRune("\u2028\u2029\uFEFF\uFFFE\uFFFF", r)
	})
}

// nameCharacters are the characters of a name that needs no quotation marks.
const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// CutName splits a line of the form "name: value". It trims blanks from the value. ok is
// false if the line does not begin with a plain name and a colon, or if no blank separates
// the colon from the value.
func CutName(line string) (name, value string, ok bool) {
	const maxName = 100 // YAML accepts much longer names
	name, value, ok = strings.Cut(line, ":")
	if !ok || name == "" || len(name) > maxName || !IsLetter(name[0]) || strings.Trim(name, nameCharacters) != "" {
		return "", "", false
	}
	if value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	return name, strings.Trim(value, " \t"), true
}

// IsLetter reports whether a byte is an ASCII letter. Names begin with one.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ambiguous lists the texts, in lower case, that some YAML version does not read as text.
var ambiguous = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// mayMeanMore reports whether YAML might read a text without quotation marks as anything
// other than that text.
func mayMeanMore(written string) bool {
	return slices.Contains(ambiguous, strings.ToLower(written)) ||
		strings.HasSuffix(written, ":") || strings.Contains(written, ": ") || strings.Contains(written, " #")
}
