package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/frontmatter"
)

// isTOML reports whether a file begins with a line "+++".
func isTOML(data []byte) bool {
	first, _ := frontmatter.CutLine(data)
	return isTOMLFence(first)
}

func isTOMLFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "+++" }

// parseTOMLFrontMatter splits the text between two lines "+++" into fields, and returns
// the text after it.
func (d *document) parseTOMLFrontMatter() (body []byte, problem *catalog.Diagnostic) {
	_, front := frontmatter.CutLine(d.Data)
	for rest := front; len(rest) > 0; {
		line, after := frontmatter.CutLine(rest)
		if isTOMLFence(line) {
			front = front[:len(front)-len(rest)]
			if len(front) > maxFront {
				return nil, d.problem(FileTooLarge, 1, tooMuchFront, len(front))
			}
			return after, d.parseTOML(front, frontLine)
		}
		rest = after
	}
	return nil, d.problem(FileSyntax, 1, `the front matter that begins here never ends: end it with a line "+++", or begin the file with another line`)
}

// parseCommand splits a command of Gemini CLI into fields. The prompt is the body. The
// whole file is TOML, so the size limit of front matter applies to it.
func (d *document) parseCommand() *catalog.Diagnostic {
	if len(d.Data) > maxFront {
		return d.problem(FileTooLarge, 0, "the command has %d bytes, and only 64 KiB are read: move part of the prompt to a file that it names", len(d.Data))
	}
	if problem := d.parseTOML(d.Data, 1); problem != nil {
		return problem
	}
	for i := range d.fields {
		if d.fields[i].name == "prompt" {
			d.fields[i].name = "body"
			return nil
		}
	}
	return d.problem(FieldMissing, 0, "prompt: missing: write what the command asks for")
}

// parseTOML splits TOML into fields, sorted by name. line is the line of the file on
// which the data begins. All fields get that line, because decoding to a map does not
// keep theirs.
func (d *document) parseTOML(data []byte, line int) *catalog.Diagnostic {
	if !hasFewNames(data) {
		return d.problem(FileTooLarge, line, "it has more than %d names: an instruction needs a dozen; remove what is not one of its fields", maxNames)
	}
	var table map[string]any
	if err := toml.Unmarshal(data, &table); err != nil {
		at := line
		if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, _ := decode.Position()
			at += row - 1
		}
		return d.problem(FileSyntax, at, "this is not valid TOML: write each name once, as name = value, and strings in quotes")
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		v, err := valueOfTOML(table[name])
		if err != nil {
			return d.problem(FileSyntax, line, "%s: %s", Quote(name), err)
		}
		d.fields = append(d.fields, field{name, v, line})
	}
	return nil
}

// maxNames is the maximum number of names in TOML, including those of tables and of
// dotted keys. The library compares each name with all names before it.
const maxNames = 1000

// hasFewNames reports whether data has at most maxNames names. It counts only up to the
// first syntax error.
func hasFewNames(data []byte) bool {
	var p unstable.Parser
	names := 0
	for p.Reset(data); names <= maxNames && p.NextExpression(); {
		names += namesIn(p.Expression())
	}
	return names <= maxNames
}

func namesIn(n *unstable.Node) (names int) {
	if n.Kind == unstable.Key {
		return 1
	}
	for below := n.Children(); below.Next(); {
		names += namesIn(below.Node())
	}
	return names
}

// valueOfTOML converts a value that the TOML library decoded. It returns an error if
// the value is nested too deep or cannot be written as JSON.
func valueOfTOML(v any) (value, error) {
	switch v := v.(type) {
	case string:
		return value{kind: text, text: v, quoted: true}, nil
	case bool:
		return value{kind: boolean, text: fmt.Sprint(v)}, nil
	case int64, float64:
		return value{kind: number, text: fmt.Sprint(v)}, nil
	}
	if deeper(v, maxDepth) {
		return value{}, errors.New(tooDeep)
	}
	raw, err := json.Marshal(v)
	switch {
	case err != nil:
		return value{}, err
	case raw[0] == '[':
		return value{kind: list, text: string(raw)}, nil
	case raw[0] == '{':
		return value{kind: object, text: string(raw)}, nil
	}
	return value{kind: text, text: string(bytes.Trim(raw, `"`))}, nil // a date
}

// deeper reports whether lists and tables are nested more than depth levels deep.
func deeper(v any, depth int) bool {
	switch v := v.(type) {
	case []any:
		return depth == 0 || slices.ContainsFunc(v, func(item any) bool { return deeper(item, depth-1) })
	case map[string]any:
		if depth == 0 {
			return true
		}
		for _, member := range v {
			if deeper(member, depth-1) {
				return true
			}
		}
	}
	return false
}
