// Package schemas holds the contracts: one handwritten JSON Schema document (draft-07)
// for each method and each file format, embedded in the program. The package validates
// JSON against them, reports issues in plain words, and provides the documents to code
// and documentation generators.
//
// Each toolset has its own contract in TOOLSET/VERSION, such as tasks/v1. The contract
// of the instruction catalog and of the server is v1. A method's document is named after
// the method, with dots in place of slashes: tasks/v1/tasks.add_task.json describes
// tasks/add_task. file.NAME.json describes the format of a file on disk. types.json
// holds the definitions that the documents of a folder share.
//
// The documents are the contract. Their bytes are pinned in SHA256SUMS in each folder,
// and a test explains what to do when one of them changes.
//
// The package does not depend on any method or catalog, and it never fetches anything.
// It rejects a document that refers to anything outside its own folder.
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

// V1 returns the contract of the instruction catalog and of the server.
func V1() *Set { return v1() }

var v1 = sync.OnceValue(func() *Set { return For("", "v1") })

// For returns the contract of a toolset in a version, such as "tasks" and "v1". It
// panics if that contract is not embedded.
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

// must panics if err is not nil. Use it for errors that only a bug in this program can
// cause.
func must(err error) {
	if err != nil {
		panic("schemas: " + err.Error())
	}
}

// Set is the documents of one folder. It is immutable and safe for concurrent use.
type Set struct {
	methods     map[string]*Method
	files       map[string]*Schema
	definitions map[string]definition
}

// Method is the contract of one method.
type Method struct {
	Name   string // the title of the document, such as "instructions/get"
	Params *Schema
	Result *Schema

	document *document
}

// Description returns a one-paragraph description for people.
func (m *Method) Description() string { return m.document.Description }

// Document returns the original bytes of the whole document. The caller must not modify
// them.
func (m *Method) Document() json.RawMessage { return m.document.text }

// Examples returns example calls of the method. The caller must not modify them.
func (m *Method) Examples() []Example { return m.document.Examples }

// Example is a call of a method and its result. Both are valid under the schemas.
type Example struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params"`
	Result      json.RawMessage `json:"result"`
}

// Method returns the contract of the named method, such as "instructions/get".
func (s *Set) Method(name string) (*Method, bool) {
	m, ok := s.methods[name]
	return m, ok
}

// Methods returns the names of the methods, sorted.
func (s *Set) Methods() []string { return slices.Sorted(maps.Keys(s.methods)) }

// File returns the schema of a file format: "gates" for gates.json, "gate" for one gate
// in it, "prompt-criteria" for PROMPT-CRITERIA.json.
func (s *Set) File(name string) (*Schema, bool) {
	f, ok := s.files[name]
	return f, ok
}

// Definition returns a shared definition, such as "InstructionEntry".
func (s *Set) Definition(name string) (*Schema, bool) {
	d, ok := s.definitions[name]
	return s.schema(d.raw), ok
}
