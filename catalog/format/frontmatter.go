package format

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/schemas/jsonscan"
)

// frontLine is the line of the file on which front matter begins, after "---".
const frontLine = 2

// maxFront is the maximum size of front matter in bytes.
const maxFront = frontmatter.MaxSize

const tooMuchFront = "the front matter has %d bytes, and only 64 KiB are read: move what is not a field to the text below it"

// parseFrontMatter splits front matter into fields. If the YAML is invalid, it reads it
// line by line, with a diagnostic, unless content could be lost.
func (d *document) parseFrontMatter(front []byte) *catalog.Diagnostic {
	problem, refused := d.parseYAML(front)
	if refused && d.parseLenient(string(front)) {
		d.broken = true
		d.warnings = append(d.warnings, d.loose(*problem, string(front)))
		return nil
	}
	return problem
}

// loose returns the diagnostic for front matter that has this error and was read line
// by line. It is a note if the agent does not expect YAML, or if the error is in an
// argument-hint such as [issue] [priority], which Claude Code's documentation uses.
// Otherwise it is a warning.
func (d *document) loose(problem catalog.Diagnostic, front string) catalog.Diagnostic {
	lines := strings.Split(front, "\n")
	isHint := d.Place != nil && strings.HasPrefix(lines[max(0, min(problem.Line-frontLine, len(lines)-1))], "argument-hint: [")
	if isHint || d.Place != nil && !d.Place.ReadsYAML() {
		problem.Severity = catalog.SeverityNote
		problem.Message = "the front matter is not valid YAML, which its agent does not require: it is read line by line"
		return problem
	}
	problem.Severity = catalog.SeverityWarning
	problem.Message = strings.Replace(problem.Message, "is not valid YAML", "is not valid YAML and is read line by line", 1)
	return problem
}

// parseYAML splits YAML into fields. It returns an error diagnostic, or nil. refused
// reports that the text is not valid YAML.
func (d *document) parseYAML(front []byte) (problem *catalog.Diagnostic, refused bool) {
	root, err := frontmatter.Parse(front)
	if e, ok := errors.AsType[*frontmatter.Error](err); ok {
		return d.problemOfYAML(e)
	}
	if root == nil {
		return nil, false
	}
	c := converter{budget: 64<<10 + 8*len(front)}
	for i := 0; i < len(root.Content); i += 2 {
		name, v, err := c.member(root.Content[i], root.Content[i+1])
		line := root.Content[i].Line + frontLine - 1
		if err != nil {
			return d.problem(FileSyntax, line, "%s", err), false
		}
		d.fields = append(d.fields, field{name, v, line})
	}
	return nil, false
}

func (d *document) problemOfYAML(e *frontmatter.Error) (problem *catalog.Diagnostic, refused bool) {
	line := e.Line + frontLine - 1
	switch e.Err {
	case frontmatter.ErrSecondDocument:
		return d.problem(FileSyntax, line, "%s: keep one", e), false
	case frontmatter.ErrNoFields:
		return d.problem(FileSyntax, line, `the front matter holds no fields: write one "name: value" a line, or begin the file with another line than "---"`), false
	}
	return d.problem(FileSyntax, line, "the front matter is not valid YAML: %s; put a value with special characters in quotes", e), true
}

// converter turns YAML nodes into values, and expands aliases. The budget, in bytes,
// prevents a few aliases from expanding to gigabytes. Front matter without aliases
// never exceeds it.
type converter struct{ budget int }

var (
	errExpansion = errors.New("the aliases expand to far more text than the front matter has: write it out")
	errBody      = errors.New("body is a field of the front matter: move it to the text below, which is the body")
	errMerge     = errors.New(`the merge key "<<" is not supported: write the members out`)
	errKey       = errors.New("a name is a list or an object: write a plain name")
)

func (c *converter) spend(bytes int) error {
	if c.budget -= bytes; c.budget < 0 {
		return errExpansion
	}
	return nil
}

func (c *converter) member(key, n *yaml.Node) (name string, v value, err error) {
	if name, err = c.key(key); err != nil {
		return "", value{}, err
	}
	if name == "body" {
		return "", value{}, errBody
	}
	v, err = c.value(n)
	return name, v, err
}

func (c *converter) value(n *yaml.Node) (value, error) {
	n = frontmatter.Resolve(n)
	switch n.Kind {
	case yaml.SequenceNode:
		raw, err := c.append(nil, n, 1)
		return value{kind: list, text: string(raw)}, err
	case yaml.MappingNode:
		raw, err := c.append(nil, n, 1)
		return value{kind: object, text: string(raw)}, err
	}
	return scalar(n), c.spend(len(n.Value))
}

// scalar returns the value of a scalar. Its kind is that of the tag, its text is as
// written.
func scalar(n *yaml.Node) value {
	switch n.ShortTag() {
	case "!!null":
		return value{kind: null}
	case "!!bool":
		return value{kind: boolean, text: n.Value}
	case "!!int", "!!float":
		return value{kind: number, text: n.Value}
	}
	return value{kind: text, text: n.Value, quoted: n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0}
}

// key returns the name of a member.
func (c *converter) key(n *yaml.Node) (string, error) {
	n = frontmatter.Resolve(n)
	switch {
	case n.ShortTag() == "!!merge":
		return "", errMerge
	case n.Kind != yaml.ScalarNode:
		return "", errKey
	}
	return n.Value, c.spend(len(n.Value))
}

// append appends a node as JSON. depth is the nesting depth of the node, from 1.
func (c *converter) append(dst []byte, n *yaml.Node, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errors.New(tooDeep)
	}
	n = frontmatter.Resolve(n)
	switch n.Kind {
	case yaml.SequenceNode:
		return c.appendList(dst, n, depth)
	case yaml.MappingNode:
		return c.appendObject(dst, n, depth)
	}
	encoded := scalar(n).json()
	return append(dst, encoded...), c.spend(len(encoded))
}

func (c *converter) appendList(dst []byte, n *yaml.Node, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range n.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = c.append(dst, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), c.spend(1 + len(n.Content))
}

const twiceInObject = "%s appears twice in an object: keep one of the two"

func (c *converter) appendObject(dst []byte, n *yaml.Node, depth int) ([]byte, error) {
	var names []string
	dst = append(dst, '{')
	for i := 0; i < len(n.Content); i += 2 {
		if i > 0 {
			dst = append(dst, ',')
		}
		name, err := c.key(n.Content[i])
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		dst = append(append(dst, jsonscan.MustEncode(name)...), ':')
		if dst, err = c.append(dst, n.Content[i+1], depth+1); err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return nil, fmt.Errorf(twiceInObject, Quote(names[i]))
		}
	}
	return append(dst, '}'), c.spend(2 + len(n.Content))
}
