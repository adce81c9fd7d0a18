package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The names of the documents that do not belong to a method.
const (
	typesFile  = "types.json" // nothing but definitions for the others
	filePrefix = "file."      // file.NAME.json is the format of a file on disk
)

// document is a file of the folder.
type document struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Properties  struct {
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
	} `json:"properties"`
	Definitions map[string]json.RawMessage `json:"definitions"`
	Examples    []Example                  `json:"examples"`

	file string
	text json.RawMessage
}

// definition is a schema that the documents of a folder share. Its name is unique
// in the folder, so that bundles need not rename anything.
type definition struct {
	file  string
	raw   json.RawMessage
	local func() (text []byte, names []string) // of raw
}

// Load reads every *.json at the top of fsys. It fails where one of them is no
// document of the kind that its name promises, or refers to something that is
// not there.
func Load(fsys fs.FS) (*Set, error) {
	files, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	set := &Set{methods: map[string]*Method{}, files: map[string]*Schema{}, definitions: map[string]definition{}}
	var documents []*document
	for _, file := range files {
		d, err := read(fsys, file)
		if err == nil {
			err = set.define(d)
		}
		if err != nil {
			return nil, fmt.Errorf("schemas: %s: %w", file, err)
		}
		documents = append(documents, d)
	}
	for _, d := range documents {
		if err := set.add(d); err != nil {
			return nil, fmt.Errorf("schemas: %s: %w", d.file, err)
		}
	}
	return set, nil
}

func read(fsys fs.FS, file string) (*document, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	d := &document{file: file, text: text}
	return d, json.Unmarshal(text, d)
}

// define takes up what a document defines.
func (s *Set) define(d *document) error {
	for _, name := range slices.Sorted(maps.Keys(d.Definitions)) {
		if other, twice := s.definitions[name]; twice {
			return fmt.Errorf("it defines %s, which %s defines already: give it another name", name, other.file)
		}
		raw := d.Definitions[name]
		s.definitions[name] = definition{d.file, raw, sync.OnceValues(func() ([]byte, []string) { return local(raw) })}
	}
	return nil
}

// add takes up a document, once all definitions are known.
func (s *Set) add(d *document) error {
	if err := s.checkRefs(d); err != nil {
		return err
	}
	for name, raw := range d.Definitions {
		if err := isObject(raw); err != nil {
			return fmt.Errorf("definition %s: %w", name, err)
		}
	}
	if name, ok := strings.CutPrefix(d.file, filePrefix); ok {
		s.files[strings.TrimSuffix(name, ".json")] = s.schema(d.text)
		return nil
	}
	if d.file == typesFile {
		return nil
	}
	return s.addMethod(d)
}

func (s *Set) addMethod(d *document) error {
	if want := strings.ReplaceAll(d.Title, "/", ".") + ".json"; want != d.file {
		return fmt.Errorf("its title %q belongs into a file named %s", d.Title, want)
	}
	if err := isObject(d.Properties.Params); err != nil {
		return fmt.Errorf("params: %w", err)
	}
	if err := isObject(d.Properties.Result); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	s.methods[d.Title] = &Method{Name: d.Title, Params: s.schema(d.Properties.Params), Result: s.schema(d.Properties.Result), document: d}
	return nil
}

func isObject(schema json.RawMessage) error {
	if !bytes.HasPrefix(schema, []byte("{")) {
		return errors.New("a schema must be an object")
	}
	return nil
}

// pointer is how a reference goes on after the name of a file, if it has one.
const pointer = "#/definitions/"

// refs finds every $ref in the text of a schema.
var refs = regexp.MustCompile(`"\$ref"\s*:\s*"([^"]*)"`)

// checkRefs makes sure that bundling cannot fail.
func (s *Set) checkRefs(d *document) error {
	for _, ref := range refs.FindAllSubmatch(d.text, -1) {
		file, name, _ := strings.Cut(string(ref[1]), pointer)
		if file == "" {
			file = d.file
		}
		if s.definitions[name].file != file {
			return fmt.Errorf("$ref %q names no definition of this folder: write FILE.json%sNAME", ref[1], pointer)
		}
	}
	return nil
}
