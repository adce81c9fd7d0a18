// Package schemas holds the contracts: one hand-written JSON Schema document
// (draft-07) for each method and each file format, embedded in the program.
// It checks JSON against them, says in plain words what does not fit, and
// hands the documents to whatever is generated from them.
//
// Each toolset has a contract of its own in TOOLSET/VERSION, such as tasks/v1;
// that of the instruction catalog and of the server itself is v1. The document
// of a method is named like the method, with dots for slashes:
// tasks/v1/tasks.add_task.json is tasks/add_task. file.NAME.json is the format of
// a file on disk. What the documents of a folder share stands in its types.json.
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

//go:embed v1/*.json */v[0-9]*/*.json
var embedded embed.FS

// V1 returns the contract of the instruction catalog and of the server itself.
func V1() *Set { return v1() }

var v1 = sync.OnceValue(func() *Set { return For("", "v1") })

// For returns the contract of a toolset, such as that of "tasks" in version
// "v1". It panics where that is not embedded.
func For(toolset, version string) *Set {
	folder := path.Join(toolset, version)
	documents, err := fs.Sub(embedded, folder)
	must(err)
	set, err := Load(documents)
	must(err)
	if len(set.methods) == 0 {
		must(fmt.Errorf("%s is not embedded", folder))
	}
	return set
}

// must panics about what only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic("schemas: " + err.Error())
	}
}

// Set is a folder of documents. It never changes and may be used by many
// goroutines.
type Set struct {
	methods     map[string]*Method
	files       map[string]*Schema
	definitions map[string]definition
}

// Method is the document of one method.
type Method struct {
	Name   string // such as "instructions/get": the title of the document
	Params *Schema
	Result *Schema

	document *document
}

// Description returns one paragraph, for people.
func (m *Method) Description() string { return m.document.Description }

// Document returns the whole document, byte for byte as it was written. The
// caller must not change it.
func (m *Method) Document() json.RawMessage { return m.document.text }

// Examples returns calls of the method. The caller must not change them.
func (m *Method) Examples() []Example { return m.document.Examples }

// Example is a call of a method and its answer. Both fit the schemas.
type Example struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params"`
	Result      json.RawMessage `json:"result"`
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
	f, ok := s.files[name]
	return f, ok
}

// Definition returns what the documents share under a name, such as
// "InstructionEntry".
func (s *Set) Definition(name string) (*Schema, bool) {
	d, ok := s.definitions[name]
	return s.schema(d.raw), ok
}
