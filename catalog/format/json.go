package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// parseJSON splits a file with one JSON object into its members. It keeps lists and
// objects in it as written, without white space.
func (d *document) parseJSON() *catalog.Diagnostic {
	switch first := bytes.TrimLeft(d.Data, " \t\r\n"); {
	case len(first) == 0:
		return d.problem(FileEmpty, 0, "the file is empty: write an object with id, title and body, or remove the file")
	case first[0] != '{' && json.Valid(d.Data):
		return d.problem(FileSyntax, files.LineAt(d.Data, len(d.Data)-len(first)), "the %s contains JSON that is not an object: write an object with id, title and body", noun(d.Line))
	}
	if problem := d.checkSize(); problem != nil {
		return problem
	}
	line, counted := 1, 0
	for m, err := range jsonscan.Members(d.Data) {
		if e, bad := errors.AsType[*jsonscan.Error](err); bad {
			return d.problem(FileSyntax, e.Line, "the %s is not valid JSON: column %d: %s", noun(d.Line), e.Column, e.Problem)
		}
		line += bytes.Count(d.Data[counted:m.Start], []byte{'\n'})
		counted = m.Start
		v := valueOf(m.Value)
		if v.kind == list || v.kind == object {
			if path, _ := jsonscan.Repeated(m.Value); path != nil {
				return d.problem(FieldTwice, line, "%s: "+twiceInObject, m.Name, Quote(path[len(path)-1].Name))
			}
		}
		d.fields = append(d.fields, field{string(m.Name), v, max(line, d.Line)})
	}
	return nil
}

// maxNamesInJSON is the maximum number of members in the JSON of an instruction,
// including those of nested objects.
const maxNamesInJSON = 10_000

// checkSize returns an error diagnostic for JSON that is nested too deep or has too
// many names, else nil.
func (d *document) checkSize() *catalog.Diagnostic {
	depth, names := 0, 0
	for at, c := range jsonscan.Structure(d.Data) {
		switch c {
		case '{', '[':
			if depth++; depth > 1+maxDepth {
				return d.problem(FileTooLarge, files.LineAt(d.Data, at), "%s", tooDeep)
			}
		case '}', ']':
			depth--
		case ':':
			if names++; names > maxNamesInJSON {
				return d.problem(FileTooLarge, files.LineAt(d.Data, at), "the %s has more than %d names in its objects: an instruction needs a dozen; keep data in a file of its own", noun(d.Line), maxNamesInJSON)
			}
		}
	}
	return nil
}

// valueOf decodes a JSON value.
func valueOf(raw []byte) value {
	switch raw[0] {
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

// compact returns well-formed JSON without white space.
func compact(raw []byte) string {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		panic("format: JSON that was checked is invalid: " + err.Error())
	}
	return buf.String()
}

// items returns the items of a list.
func (v value) items() []value {
	var items []value
	for element := range jsonscan.Elements([]byte(v.text)) {
		items = append(items, valueOf(element))
	}
	return items
}

// names returns the names of an object's members.
func (v value) names() []string {
	var names []string
	for m := range jsonscan.Members([]byte(v.text)) {
		names = append(names, string(m.Name))
	}
	return names
}

// isJSONNumber reports whether a text is a valid JSON number.
func isJSONNumber(literal string) bool {
	const digits = "0123456789"
	return literal != "" && strings.Contains(digits+"-", literal[:1]) && strings.Contains(digits, literal[len(literal)-1:]) && json.Valid([]byte(literal))
}
