package format

import (
	"fmt"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// document is a file, or a line of a bundle, and what it says, before anything is made
// of that: its fields in the order in which they are written. All forms lead to it.
type document struct {
	File

	form     form
	fields   []field
	warnings []catalog.Diagnostic // of how it was read
	broken   bool                 // the front matter is no YAML and was read line by line
}

// field is a member of a document.
type field struct {
	name  string
	value value
	line  int // of its name, from 1; 0 if the document has no such field
}

// kind is the type of a value, in the sense of JSON.
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
	quoted   bool   // the text stands in quotes
	text     string // the content of a text; of another value what is written, of a list or an object as compact JSON
}

// usualFields is how many fields a document rarely exceeds.
const usualFields = 16

// maxDepth is how many lists and objects may lie in each other within a value.
const maxDepth = 64

var tooDeep = fmt.Sprintf("lists and objects lie more than %d deep in each other: make the value flatter", maxDepth)

// parse takes the data apart into fields. The problem, if there is one, is an error.
func (d *document) parse() *catalog.Diagnostic {
	d.Data = files.TrimByteOrderMark(d.Data)
	if i := files.InvalidUTF8(d.Data); i >= 0 {
		return d.problem(FileEncoding, files.LineAt(d.Data, i), "the %s is not valid UTF-8: save it as UTF-8", noun(d.Line))
	}
	d.fields = make([]field, 0, usualFields)
	if d.form = formOf(d.Path); d.Line > 0 { // a bundle has JSON on every line
		d.form = jsonForm
	}
	switch d.form {
	case markdownForm:
		return d.parseMarkdown()
	case tomlForm:
		d.form = markdownForm // from here on there is no difference
		return d.parseCommand()
	}
	return d.parseJSON()
}

// noun is what a diagnostic calls that which stands at a line of a bundle, or,
// for 0, has a file of its own.
func noun(line int) string {
	if line > 0 {
		return "line"
	}
	return "file"
}

// problem is about a line of the file, from 1, or the file as a whole, 0.
func (d *document) problem(rule string, line int, format string, args ...any) *catalog.Diagnostic {
	if d.Line > 0 {
		line = d.Line
	}
	return &catalog.Diagnostic{
		Path: d.Path, Line: line, Severity: catalog.SeverityError, Message: fmt.Sprintf(format, args...), Rule: rule,
	}
}

// String shows the value in a diagnostic, shortened and on one line.
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

// json returns the value as JSON. What YAML calls a number and JSON does not,
// such as 0x1F or .inf, becomes a string.
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

// shown is how many characters of a value a diagnostic shows.
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

// body returns the one body of the document.
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
