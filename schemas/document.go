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

// Names of the documents that do not describe a method.
const (
	typesFile  = "types.json" // only definitions that other documents use
	filePrefix = "file."      // file.NAME.json describes the format of a file on disk
)

// document is a parsed schema file.
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

// definition is a schema shared by the documents of a folder. Its name is unique within
// the folder, so bundling never has to rename it.
type definition struct {
	file  string
	raw   json.RawMessage
	local func() (text []byte, names []string) // local(raw), computed once
}

// Load reads every *.json file at the top level of fsys. It fails if a file is not a
// document of the kind that its name implies, or if a $ref does not resolve.
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

// define registers the definitions of a document. It fails if a name is already defined.
func (s *Set) define(d *document) error {
	for _, name := range slices.Sorted(maps.Keys(d.Definitions)) {
		if other, twice := s.definitions[name]; twice {
			return fmt.Errorf("it defines %s, which %s already defines: give it another name", name, other.file)
		}
		raw := d.Definitions[name]
		s.definitions[name] = definition{d.file, raw, sync.OnceValues(func() ([]byte, []string) { return local(raw) })}
	}
	return nil
}

// add registers a document. All definitions must have been registered before.
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
		return fmt.Errorf("its title %q belongs in a file named %s", d.Title, want)
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

// pointer is the part of a $ref after the file name, if any, and before the definition
// name.
const pointer = "#/definitions/"

// refs matches every $ref in the text of a schema.
var refs = regexp.MustCompile(`"\$ref"\s*:\s*"([^"]*)"`)

// checkRefs returns an error if a $ref of d does not resolve. Bundling relies on this
// check.
func (s *Set) checkRefs(d *document) error {
	for _, ref := range refs.FindAllSubmatch(d.text, -1) {
		file, name, _ := strings.Cut(string(ref[1]), pointer)
		if file == "" {
			file = d.file
		}
		if s.definitions[name].file != file {
			return fmt.Errorf("$ref %q does not name a definition of this folder: write FILE.json%sNAME", ref[1], pointer)
		}
	}
	return nil
}
