// Package schemas holds the contract: one hand-written JSON Schema document
// (draft-07) for each method and each file format, embedded in the program.
// It checks JSON against them, says in plain words what does not fit, and
// hands the documents to whatever is generated from them.
//
// The documents are the contract. Their bytes are pinned in v1/SHA256SUMS, and
// a test says what has to be done when one of them changes.
//
// The package knows no method and no catalog, and it never fetches anything: a
// document that refers to something outside its own folder is refused.
package schemas

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed v1/*.json
var embedded embed.FS

// V1 returns the contract of this program. It is read once, at the first call;
// no schema is compiled before it is first used.
func V1() *Set { return v1() }

var v1 = sync.OnceValue(func() *Set {
	folder, err := fs.Sub(embedded, "v1")
	if err != nil {
		panic(err) // the path is a constant and well-formed
	}
	set, err := Load(folder)
	if err != nil {
		panic(err) // the tests load the same bytes
	}
	return set
})

// Set is a folder of documents. It never changes and may be used by many
// goroutines.
type Set struct {
	methods     map[string]*Method
	files       map[string]*Schema
	definitions map[string]*fragment
}

// Method is the document of one method.
type Method struct {
	Name        string // such as "instructions/get": the title of the document
	Description string // one paragraph, for people
	Params      *Schema
	Result      *Schema
	Examples    []Example

	document json.RawMessage
}

// Document returns the whole document, byte for byte as it was written. The
// caller must not change it.
func (m *Method) Document() json.RawMessage { return m.document }

// Example is a call of a method and its answer. Both fit the schemas.
type Example struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params"`
	Result      json.RawMessage `json:"result"`
}

// document is what a file of the folder says at its top.
type document struct {
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Definitions map[string]json.RawMessage `json:"definitions"`
	Examples    []Example                  `json:"examples"`
}

// The names of the documents that do not belong to a method.
const (
	typesFile  = "types.json" // nothing but definitions for the others
	filePrefix = "file."      // file.NAME.json is the format of a file on disk
)

// Load reads every *.json at the top of fsys. It fails where one of them is no
// document of the kind that its name promises, or refers to something that is
// not there.
func Load(fsys fs.FS) (*Set, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	set := &Set{
		methods:     map[string]*Method{},
		files:       map[string]*Schema{},
		definitions: map[string]*fragment{},
	}
	var fragments []*fragment
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("schemas: %w", err)
		}
		added, err := set.add(name, data)
		if err != nil {
			return nil, fmt.Errorf("schemas: %s: %w", name, err)
		}
		fragments = append(fragments, added...)
	}
	for _, f := range fragments {
		if err := set.checkRefs(f); err != nil {
			return nil, fmt.Errorf("schemas: %w", err)
		}
	}
	return set, nil
}

// add enters one document and returns the schemas that it consists of.
func (s *Set) add(file string, data []byte) ([]*fragment, error) {
	var doc document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	added, err := s.addDefinitions(file, doc.Definitions)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(file, ".json")
	if file == typesFile {
		return added, nil
	}
	if format, ok := strings.CutPrefix(name, filePrefix); ok {
		root, err := newFragment(file, data)
		if err != nil {
			return nil, err
		}
		s.files[format] = newSchema(s, root)
		return append(added, root), nil
	}
	method, err := s.addMethod(file, data, &doc)
	return append(added, method...), err
}

func (s *Set) addDefinitions(file string, defs map[string]json.RawMessage) ([]*fragment, error) {
	var added []*fragment
	for _, name := range slices.Sorted(maps.Keys(defs)) {
		if other, ok := s.definitions[name]; ok {
			return nil, fmt.Errorf("it defines %s, which %s defines already: give it another name", name, other.file)
		}
		f, err := newFragment(file, defs[name])
		if err != nil {
			return nil, fmt.Errorf("definition %s: %w", name, err)
		}
		s.definitions[name] = f
		added = append(added, f)
	}
	return added, nil
}

func (s *Set) addMethod(file string, data []byte, doc *document) ([]*fragment, error) {
	if want := methodFile(doc.Title); want != file {
		return nil, fmt.Errorf("its title %q belongs into a file named %s", doc.Title, want)
	}
	params, err := newFragment(file, doc.Properties["params"])
	if err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	result, err := newFragment(file, doc.Properties["result"])
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	s.methods[doc.Title] = &Method{
		Name:        doc.Title,
		Description: doc.Description,
		Params:      newSchema(s, params),
		Result:      newSchema(s, result),
		Examples:    doc.Examples,
		document:    data,
	}
	return []*fragment{params, result}, nil
}

func methodFile(method string) string { return strings.ReplaceAll(method, "/", ".") + ".json" }

// Method returns the document of a method, such as "instructions/get".
func (s *Set) Method(name string) (*Method, bool) {
	m, ok := s.methods[name]
	return m, ok
}

// Methods returns the names of the methods, sorted.
func (s *Set) Methods() []string { return slices.Sorted(maps.Keys(s.methods)) }

// File returns the format of a file on disk: "gates" for gates.json, "gate"
// for one of its gates, "prompt-criteria" for PROMPT-CRITERIA.json.
func (s *Set) File(name string) (*Schema, bool) {
	f, ok := s.files[name]
	return f, ok
}

// Definition returns what the documents share under a name, such as
// "InstructionEntry".
func (s *Set) Definition(name string) (*Schema, bool) {
	d, ok := s.definitions[name]
	if !ok {
		return nil, false
	}
	return newSchema(s, d), true
}
