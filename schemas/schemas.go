// Package schemas holds the contracts: one hand-written JSON Schema document
// (draft-07) for each method and each file format, embedded in the program.
// It checks JSON against them, says in plain words what does not fit, and
// hands the documents to whatever is generated from them.
//
// Each toolset has a contract of its own in TOOLSET/VERSION, such as tasks/v1;
// that of the instruction catalog and of the server itself is v1. The document
// of a method is named like the method, with dots for slashes:
// tasks/v1/tasks.add_task.json is tasks/add_task. What the documents of a folder
// share stands in its types.json.
//
// The documents are the contract. Their bytes are pinned in the SHA256SUMS of
// their folder, and a test says what has to be done when one of them changes.
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
	"path"
	"slices"
	"sync"
)

// A toolset adds its folder here.
//
//go:embed v1/*.json tasks/v1/*.json entities/v1/*.json entities/v2/*.json
var embedded embed.FS

// For returns the contract of a toolset, such as that of "tasks" in version
// "v1". It panics where that is not embedded.
func For(toolset, version string) *Set {
	folder := path.Join(toolset, version)
	documents, err := fs.Sub(embedded, folder)
	must(err) // names have no odd characters
	set, err := Load(documents)
	must(err)
	if len(set.documents) == 0 {
		must(fmt.Errorf("%s is not embedded", folder))
	}
	return set
}

// V1 returns the contract of this program. Nothing of it is read before it is
// needed: a document where one of its schemas is asked for, a schema compiled
// where something is validated. What every start needs, the names and outlines
// of the methods, is part of the program (see outlines.go).
func V1() *Set { return v1() }

var v1 = sync.OnceValue(newV1)

func newV1() *Set {
	folder, err := fs.Sub(embedded, "v1")
	must(err) // the path is a constant and well-formed
	set, err := list(folder)
	must(err)
	for _, o := range outlines {
		set.addMethod(o)
	}
	return set
}

// Set is a folder of documents. It never changes and may be used by many
// goroutines.
type Set struct {
	folder    fs.FS
	documents map[string]*document // by file
	methods   map[string]*Method
}

// Method is the document of one method.
type Method struct {
	Name   string // such as "instructions/get": the title of the document
	Params *Schema
	Result *Schema

	document *document
}

// Description returns one paragraph, for people.
func (m *Method) Description() string { return m.document.content().description }

// Document returns the whole document, byte for byte as it was written. The
// caller must not change it.
func (m *Method) Document() json.RawMessage { return m.document.content().whole.raw }

// Examples returns calls of the method. The caller must not change them.
func (m *Method) Examples() []Example { return m.document.content().examples }

// Example is a call of a method and its answer. Both fit the schemas.
type Example struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params"`
	Result      json.RawMessage `json:"result"`
}

// Load reads every *.json at the top of fsys. It fails where one of them is no
// document of the kind that its name promises, or refers to something that is
// not there.
func Load(fsys fs.FS) (*Set, error) {
	set, err := list(fsys)
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	if err := set.check(); err != nil {
		return nil, err
	}
	for _, d := range set.documents {
		if c := d.content(); d.isMethod() {
			set.addMethod(callOutline{c.title, c.params.outline(), c.result.outline()})
		}
	}
	return set, nil
}

// list finds the documents and reads none.
func list(fsys fs.FS) (*Set, error) {
	files, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	set := &Set{folder: fsys, documents: map[string]*document{}, methods: map[string]*Method{}}
	for _, file := range files {
		set.documents[file] = &document{set: set, file: file}
	}
	return set, nil
}

func (s *Set) addMethod(o callOutline) {
	d := s.documents[methodFile(o.method)]
	s.methods[o.method] = &Method{
		Name: o.method,
		Params: &Schema{
			outline:  func() *Outline { return o.params },
			fragment: func() *fragment { return d.content().params },
		},
		Result: &Schema{
			outline:  func() *Outline { return o.result },
			fragment: func() *fragment { return d.content().result },
		},
		document: d,
	}
}

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
	d, ok := s.documents[formatFile(name)]
	if !ok {
		return nil, false
	}
	return d.content().format, true
}

// Definition returns what the documents share under a name, such as
// "InstructionEntry".
func (s *Set) Definition(name string) (*Schema, bool) {
	for _, d := range s.documents {
		if f, ok := d.content().definitions[name]; ok {
			return schemaOf(f), true
		}
	}
	return nil, false
}

// definition returns what a reference leads to, nil where it leads nowhere.
func (s *Set) definition(r ref) *fragment {
	d, ok := s.documents[r.file]
	if !ok {
		return nil
	}
	return d.content().definitions[r.name]
}
