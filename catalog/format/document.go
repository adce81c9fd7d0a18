package format

import (
	"fmt"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// document is a parsed file or bundle line before normalisation. Its fields are in
// source order, except those of TOML, which are sorted by name. Every format is parsed
// to a document.
type document struct {
	File

	form     form
	fields   []field
	warnings []catalog.Diagnostic // about how it was read
	broken   bool                 // the front matter is not valid YAML and was read line by line
}

// field is a named value of a document.
type field struct {
	name  string
	value value
	line  int // of the name, from 1; 0 if the document does not have the field
}

// kind is the JSON type of a value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// value is the value of a field.
type value struct {
	kind     kind
	repaired bool   // half a surrogate pair in the text was replaced by U+FFFD
	quoted   bool   // the text is in quotes
	text     string // the content of a text; compact JSON for a list or an object; else the value as written
}

// usualFields is a number of fields that few documents exceed.
const usualFields = 16

// maxDepth is the maximum nesting depth of lists and objects within a value.
const maxDepth = 64

var tooDeep = fmt.Sprintf("lists and objects are nested more than %d deep: make the value flatter", maxDepth)

// parse splits the data into fields. It returns an error diagnostic, or nil.
func (d *document) parse() *catalog.Diagnostic {
	d.Data = files.TrimByteOrderMark(d.Data)
	if i := files.InvalidUTF8(d.Data); i >= 0 {
		return d.problem(FileEncoding, files.LineAt(d.Data, i), "the %s is not valid UTF-8: save it as UTF-8", noun(d.Line))
	}
	d.fields = make([]field, 0, usualFields)
	if d.form = formOf(d.Path); d.Line > 0 { // every line of a bundle is JSON
		d.form = jsonForm
	}
	switch d.form {
	case markdownForm:
		return d.parseMarkdown()
	case tomlForm:
		d.form = markdownForm // after parsing, it is treated like Markdown
		return d.parseCommand()
	}
	return d.parseJSON()
}

// noun returns the word for a document in a diagnostic: "line" if line is a line of a
// bundle, "file" if it is 0.
func noun(line int) string {
	if line > 0 {
		return "line"
	}
	return "file"
}

// problem returns an error diagnostic about a line of the file, from 1, or about the
// whole file if line is 0. In a bundle the line is always that of the document.
func (d *document) problem(rule string, line int, format string, args ...any) *catalog.Diagnostic {
	if d.Line > 0 {
		line = d.Line
	}
	return &catalog.Diagnostic{
		Path: d.Path, Line: line, Severity: catalog.SeverityError, Message: fmt.Sprintf(format, args...), Rule: rule,
	}
}

// String returns the value for a diagnostic, shortened and on one line.
func (v value) String() string {
	switch v.kind {
	case null:
		return "null"
	case text:
		return Quote(v.text)
	case list:
		return "a list"
	case object:
		return "an object"
	}
	quoted := Quote(v.text)
	return quoted[1 : len(quoted)-1]
}

// json returns the value as JSON. A YAML number that is not a JSON number, such as 0x1F
// or .inf, becomes a string.
func (v value) json() []byte {
	switch v.kind {
	case null:
		return []byte("null")
	case list, object:
		return []byte(v.text)
	case boolean:
		if word := strings.ToLower(v.text); word == "true" || word == "false" {
			return []byte(word)
		}
	case number:
		if isJSONNumber(v.text) {
			return []byte(v.text)
		}
	}
	return jsonscan.MustEncode(v.text)
}

// shown is the maximum number of characters of a value in a diagnostic.
const shown = 40

// Quote returns s in quotes and on one line, shortened for a diagnostic.
func Quote(s string) string {
	count := 0
	for i := range s {
		if count == shown {
			return strconv.Quote(s[:i] + "…")
		}
		count++
	}
	return strconv.Quote(s)
}

// body returns the body of the document. It returns false unless there is exactly one
// body and it is a text.
func (d *document) body() (string, bool) {
	var bodies []value
	for _, f := range d.fields {
		if f.name == "body" {
			bodies = append(bodies, f.value)
		}
	}
	if len(bodies) != 1 || bodies[0].kind != text {
		return "", false
	}
	return bodies[0].text, true
}
