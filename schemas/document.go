package schemas

import (
	"encoding/json"
	"io/fs"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// The names of the documents that do not belong to a method.
const (
	typesFile  = "types.json" // nothing but definitions for the others
	filePrefix = "file."      // file.NAME.json is the format of a file on disk
)

func formatFile(name string) string { return filePrefix + name + ".json" }

func methodFile(method string) string { return strings.ReplaceAll(method, "/", ".") + ".json" }

// document is a file of the folder. It is read and taken apart when it is
// first needed, which for most documents is never.
type document struct {
	set  *Set
	file string
	text json.RawMessage // nil before load

	contentOnce lazy[*content]
}

// content is what a document says at its top.
type content struct {
	title       string
	description string
	definitions map[string]*fragment
	whole       *fragment
	format      *Schema   // of a file on disk: the whole
	params      *fragment // of a method, as result and examples
	result      *fragment
	examples    []Example
}

func (d *document) isFormat() bool { return strings.HasPrefix(d.file, filePrefix) }

func (d *document) isMethod() bool { return !d.isFormat() && d.file != typesFile }

// load reads the file, unless that was done.
func (d *document) load() error {
	if d.text != nil {
		return nil
	}
	var err error
	d.text, err = fs.ReadFile(d.set.folder, d.file)
	return err
}

func (d *document) content() *content {
	return d.contentOnce.get(func() *content {
		must(d.load())
		return d.parse()
	})
}

func (d *document) parse() *content {
	c := &content{whole: d.fragment(d.text), params: d.fragment(nil), result: d.fragment(nil)}
	c.format = schemaOf(c.whole)
	s := jsonscan.New(d.text)
	for name := range s.Members() {
		switch string(name) {
		case "title":
			c.title = string(s.Text())
		case "description":
			c.description = string(s.Text())
		case "properties":
			d.parseCall(s, c)
		case "definitions":
			c.definitions = d.parseDefinitions(s)
		case "examples":
			c.examples = parseExamples(s)
		default:
			s.Skip()
		}
	}
	return c
}

func (d *document) parseCall(s *jsonscan.Scanner, c *content) {
	for name := range s.Members() {
		switch string(name) {
		case "params":
			c.params = d.fragment(s.Raw())
		case "result":
			c.result = d.fragment(s.Raw())
		default:
			s.Skip()
		}
	}
}

func (d *document) parseDefinitions(s *jsonscan.Scanner) map[string]*fragment {
	definitions := map[string]*fragment{}
	for name := range s.Members() {
		definitions[string(name)] = d.fragment(s.Raw())
	}
	return definitions
}

func parseExamples(s *jsonscan.Scanner) []Example {
	var examples []Example
	for range s.Elements() {
		var e Example
		must(json.Unmarshal(s.Raw(), &e))
		examples = append(examples, e)
	}
	return examples
}

func (d *document) fragment(raw json.RawMessage) *fragment {
	return &fragment{document: d, raw: raw}
}
