package source

import (
	"bytes"
	"encoding/json"
	"errors"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// parseJSON takes a file apart that holds one JSON object. Only the top level
// is taken apart: lists and objects in it are kept as they stand, without blanks.
func (d *document) parseJSON(f file) *catalog.Diagnostic {
	s := jsonscan.New(f.data)
	switch first := s.Next(); {
	case s.Offset() == len(f.data):
		return f.problem(0, "the file is empty: write an object with id, title and body, or remove the file")
	case first != '{' && json.Valid(f.data):
		return f.problem(files.LineAt(f.data, s.Offset()), "the %s holds JSON that is no object: write an object with id, title and body", noun(f.line))
	}
	line, counted := 1, 0
	for name := range s.Members() {
		line += bytes.Count(f.data[counted:s.Offset()], []byte{'\n'})
		counted = s.Offset()
		v := nextValue(s)
		switch {
		case s.Depth() > 1+maxDepth:
			return f.problem(line, "%s", tooDeep)
		case s.Names() > maxNamesInJSON:
			return f.problem(line, "the %s has more than %d names in its objects: an instruction needs a dozen; keep data in a file of its own", noun(f.line), maxNamesInJSON)
		}
		if path, _ := jsonscan.Repeated([]byte(v.structure())); path != nil {
			return f.problem(line, "%s: "+twiceInObject, name, shorten(path[len(path)-1].Name))
		}
		d.fields = append(d.fields, field{string(name), v, max(line, d.line)})
	}
	if !s.End() {
		return f.jsonProblem()
	}
	return nil
}

// jsonProblem says what is wrong with the syntax in the words of encoding/json,
// which are known to everybody.
func (f file) jsonProblem() *catalog.Diagnostic {
	var syntax *json.SyntaxError
	err := json.Unmarshal(f.data, new(json.RawMessage))
	if !errors.As(err, &syntax) {
		return f.problem(0, "the %s is not valid JSON: %v", noun(f.line), err)
	}
	return f.problem(files.LineAt(f.data, max(int(syntax.Offset)-1, 0)), "the %s is not valid JSON: %s", noun(f.line), syntax)
}

// maxNamesInJSON is how many members the objects have, those in others included, of
// JSON that is taken for an instruction.
const maxNamesInJSON = 10_000

// nextValue reads the value that comes next, nothing where it is not JSON or is
// nested too deep, which the scanner tells.
func nextValue(s *jsonscan.Scanner) value {
	first, raw := s.Next(), s.Raw()
	if raw == nil || s.Depth() > 1+maxDepth {
		return value{}
	}
	switch first {
	case '"':
		content, repaired := jsonscan.Unquote(raw)
		return value{kind: text, text: content, repaired: repaired}
	case '[':
		return value{kind: list, text: compact(raw)}
	case '{':
		return value{kind: object, text: compact(raw)}
	case 'n':
		return value{}
	case 't', 'f':
		return value{kind: boolean, text: string(raw)}
	}
	return value{kind: number, text: string(raw)}
}

// structure is what is written of a list or an object, "" for another value.
func (v value) structure() string {
	if v.kind == list || v.kind == object {
		return v.text
	}
	return ""
}

// compact returns well-formed JSON without blanks.
func compact(raw []byte) string {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		panic("source: JSON that was checked is invalid: " + err.Error())
	}
	return buf.String()
}

// items returns the items of a list.
func (v value) items() []value {
	s := jsonscan.New([]byte(v.text))
	var items []value
	for range s.Elements() {
		items = append(items, nextValue(s))
	}
	return items
}

// names returns the names of an object's members.
func (v value) names() []string {
	s := jsonscan.New([]byte(v.text))
	var names []string
	for name := range s.Members() {
		names = append(names, string(name))
		s.Skip()
	}
	return names
}

// isJSONNumber reports whether a text is a number as JSON writes it.
func isJSONNumber(literal string) bool {
	return literal != "" && (literal[0] == '-' || isDigit(literal[0])) && isDigit(literal[len(literal)-1]) && json.Valid([]byte(literal))
}
