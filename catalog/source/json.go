package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// parseJSON takes a file apart that holds one JSON object. Only the top level
// is taken apart: lists and objects in it are kept as they stand.
func (d *document) parseJSON(f file) *catalog.Diagnostic {
	s := &scanner{data: f.data}
	s.skipBlanks()
	switch {
	case s.atEnd():
		return f.problem(0, "the file is empty: write an object with id, title and body, or remove the file")
	case s.data[s.pos] != '{' && checkJSON(f.data) == nil:
		return f.problem(files.LineAt(s.data, s.pos), "the %s holds JSON that is no object: write an object with id, title and body", noun(f.line))
	}
	err := d.parseMembers(s)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return f.jsonProblem(err, s.pos)
	}
	return nil
}

func (d *document) parseMembers(s *scanner) error {
	line, counted := max(d.line, 1), 0
	return s.members(func(name string, at int, v value) {
		line += bytes.Count(s.data[counted:at], []byte{'\n'})
		counted = at
		d.fields = append(d.fields, field{name, v, line})
	})
}

// jsonProblem describes a failure of the scanner, which stopped at pos. What
// is wrong with the syntax is asked of encoding/json, whose words are known
// to everybody.
func (f file) jsonProblem(err error, pos int) *catalog.Diagnostic {
	if err == errDepth {
		return f.problem(files.LineAt(f.data, pos), "%s", tooDeep)
	}
	var syntax *json.SyntaxError
	if better := checkJSON(f.data); errors.As(better, &syntax) {
		err, pos = better, int(syntax.Offset)-1
	}
	return f.problem(files.LineAt(f.data, max(pos, 0)), "the %s is not valid JSON: %s", noun(f.line), err)
}

// checkJSON returns the error of encoding/json about data, nil if it is valid.
func checkJSON(data []byte) error {
	var raw json.RawMessage
	return json.Unmarshal(data, &raw)
}

// items returns the items of a list. The list must be valid, as that of every
// value is.
func (v value) items() []value {
	s := scanner{data: []byte(v.text), pos: 1}
	const usual = 32 // at most: commas stand in texts, too
	items := make([]value, 0, min(usual, 1+strings.Count(v.text, ",")))
	for s.data[s.pos] != ']' {
		item, err := s.value()
		if err != nil {
			panic("source: a list that was checked is invalid: " + err.Error())
		}
		items = append(items, item)
		if s.data[s.pos] == ',' {
			s.pos++
		}
	}
	return items
}

// names returns the names of an object's members.
func (v value) names() []string {
	s := scanner{data: []byte(v.text)}
	var names []string
	if err := s.members(func(name string, _ int, _ value) { names = append(names, name) }); err != nil {
		panic("source: an object that was checked is invalid: " + err.Error())
	}
	return names
}
