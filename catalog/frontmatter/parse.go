package frontmatter

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// MaxSize is the maximum size, in bytes, of front matter to parse. Per byte, the YAML
// library takes a thousand times as long as parsing the text below the front matter, and
// its time grows faster than the size.
const MaxSize = 64 << 10

// Error is the reason why front matter cannot be parsed.
type Error struct {
	Line int // line of the front matter, from 1
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// The causes of an [Error]. Any other cause is a syntax error.
var (
	ErrNoFields       = errors.New(`the front matter has no "name: value" lines`)
	ErrSecondDocument = errors.New("the front matter holds a second YAML document")
)

// Parse returns the mapping node of front matter, or nil if it has no fields. Nodes do not
// include comments. The error is an [*Error].
func Parse(front []byte) (*yaml.Node, error) {
	documents, err := load(front)
	switch {
	case err != nil:
		return nil, syntaxError(front, err)
	case len(documents) == 0:
		return nil, nil
	case len(documents) > 1:
		return nil, &Error{documents[1].Line, ErrSecondDocument}
	}
	switch root := documents[0]; {
	case root.ShortTag() == "!!null":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, &Error{1, ErrNoFields}
	default:
		return root, nil
	}
}

// Resolve returns the target of an alias node. It returns any other node unchanged.
func Resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// load returns the root node of each YAML document in text. It returns no nodes for a text
// of only blanks and comments.
func load(text []byte) ([]*yaml.Node, error) {
	switch root, ok := readPlain(string(text)); {
	case !ok:
		return loadAny(text)
	case root == nil:
		return nil, nil
	default:
		return []*yaml.Node{root}, nil
	}
}

// loadAny is like load but always uses the library.
func loadAny(text []byte) ([]*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var documents []*yaml.Node
	for {
		var document yaml.Node
		switch err := loader.Load(&document); err {
		case nil:
			documents = append(documents, document.Content[0])
		case io.EOF:
			return documents, nil
		default:
			return nil, err
		}
	}
}

// syntaxError describes the error by the line at which the library reports it. It does not
// use the text of err, which varies with the version of the library.
func syntaxError(front []byte, err error) *Error {
	line := 1
	if at, ok := errors.AsType[*yaml.LoadError](err); ok {
		line = max(at.Mark.Line, 1)
	}
	lines := strings.Split(strings.TrimSuffix(string(front), "\n"), "\n")
	if line > len(lines) {
		return &Error{line, errors.New("a quotation mark or a bracket is not closed")}
	}
	return &Error{line, errors.New(problemOf(strings.TrimSuffix(lines[line-1], "\r")))}
}

// problemOf describes why a line is not valid YAML.
func problemOf(line string) string {
	text := strings.TrimLeft(line, " \t")
	value := strings.TrimPrefix(text, "- ")
	if _, written, ok := CutName(text); ok {
		value = written
	}
	switch {
	case !PlainCharacters(strings.ReplaceAll(line, "\t", " ")):
		return "the line has a control character"
	case strings.Contains(line[:len(line)-len(text)], "\t"):
		return "the line is indented with a tab"
	case value == "":
		return "the line does not continue what is above it"
	case strings.Contains("*&!|>%@`", value[:1]):
		return "the value begins with " + value[:1] + ", which has a meaning in YAML"
	case strings.Contains(`"'[{`, value[:1]):
		return "the value begins with " + value[:1] + ", and what follows does not fit"
	case strings.Contains(value, ": ") || strings.HasSuffix(value, ":"):
		return "the value contains a colon"
	}
	return "the line does not continue what is above it"
}
