package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/schemas"
)

// openRPCDocument holds the parts of an OpenRPC document that its rules are about.
type openRPCDocument struct {
	OpenRPC string
	Info    struct{ Title, Version string }
	Methods []struct {
		Name, Summary, Description, ParamStructure string
		Params                                     []contentDescriptor
		Result                                     contentDescriptor
		Examples                                   []struct {
			Name   string
			Params []example
			Result example
		}
	}
	Components struct{ Schemas map[string]map[string]any }
}

type contentDescriptor struct {
	Name     string
	Required bool
	Schema   map[string]any
}

type example struct {
	Name  string
	Value json.RawMessage
}

// TestOpenRPC checks the document of rpc.discover against the rules of the OpenRPC
// specification that its schema cannot express, and against that schema.
func TestOpenRPC(t *testing.T) {
	t.Parallel()
	p := build(t)
	raw := p.serve(t, fixture(t)).call("rpc.discover", "{}").Result
	var doc openRPCDocument
	var tree any
	for _, into := range []any{&doc, &tree} {
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
	}
	if doc.OpenRPC == "" || doc.Info.Title == "" || doc.Info.Version == "" || len(doc.Methods) == 0 {
		t.Errorf("openrpc %q, info %+v, %d methods", doc.OpenRPC, doc.Info, len(doc.Methods))
	}
	checkReferences(t, tree, tree)
	names := map[string]bool{}
	for _, m := range doc.Methods {
		if names[m.Name] || m.Name == "" || m.Summary == "" || m.Description == "" {
			t.Errorf("the method %q is there twice, or says too little of itself", m.Name)
		}
		names[m.Name] = true
		checkParams(t, m.Name, m.ParamStructure, m.Params)
		result := doc.schemaOf(t, m.Result)
		for _, e := range m.Examples {
			doc.checkExample(t, m.Name+", example "+e.Name, m.Params, e.Params)
			if issues, err := result.Validate(e.Result.Value); err != nil || len(issues) > 0 {
				t.Errorf("%s, example %s: its result does not fit: %v %v", m.Name, e.Name, issues, err)
			}
		}
	}
	t.Run("MetaSchema", func(t *testing.T) { checkMetaSchema(t, raw) })
}

// checkReferences resolves every $ref as a pointer into the document.
func checkReferences(t *testing.T, document, at any) {
	t.Helper()
	switch v := at.(type) {
	case []any:
		for _, child := range v {
			checkReferences(t, document, child)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && resolve(document, ref) == nil {
			t.Errorf("$ref %q leads nowhere", ref)
		}
		for _, child := range v {
			checkReferences(t, document, child)
		}
	}
}

// resolve returns the value that a reference in the document points to, or nil if there
// is none.
func resolve(document any, ref string) any {
	pointer, local := strings.CutPrefix(ref, "#/")
	if !local {
		return nil
	}
	for _, name := range strings.Split(pointer, "/") {
		object, _ := document.(map[string]any)
		document = object[name]
	}
	return document
}

// checkParams checks that params are passed by name, that names are unique, and that
// required params come first.
func checkParams(t *testing.T, method, structure string, params []contentDescriptor) {
	t.Helper()
	if structure != "by-name" {
		t.Errorf("%s: its params go %q", method, structure)
	}
	names, optional := map[string]bool{}, false
	for _, p := range params {
		if names[p.Name] || p.Name == "" || p.Schema == nil {
			t.Errorf("%s: the param %q is there twice, or has no schema", method, p.Name)
		}
		if p.Required && optional {
			t.Errorf("%s: the required param %s comes after one that is not", method, p.Name)
		}
		names[p.Name], optional = true, optional || !p.Required
	}
}

// checkExample checks that an example has every required param and no unknown one, and
// that each value fits.
func (doc *openRPCDocument) checkExample(t *testing.T, place string, params []contentDescriptor, given []example) {
	t.Helper()
	names := map[string]bool{}
	for _, e := range given {
		names[e.Name] = true
		i := slices.IndexFunc(params, func(p contentDescriptor) bool { return p.Name == e.Name })
		if i < 0 {
			t.Errorf("%s names the param %q, which there is not", place, e.Name)
			continue
		}
		if issues, err := doc.schemaOf(t, params[i]).Validate(e.Value); err != nil || len(issues) > 0 {
			t.Errorf("%s: its param %s does not fit: %v %v", place, e.Name, issues, err)
		}
	}
	for _, p := range params {
		if p.Required && !names[p.Name] {
			t.Errorf("%s lacks the required param %s", place, p.Name)
		}
	}
}

// schemaOf compiles the schema of a content descriptor from the document alone, as a
// client would.
func (doc *openRPCDocument) schemaOf(t *testing.T, d contentDescriptor) *schemas.Schema {
	t.Helper()
	data, err := json.Marshal(map[string]any{"allOf": []any{d.Schema}, "definitions": doc.Components.Schemas})
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(data), `"#/components/schemas/`, `"#/definitions/`)), &tree); err != nil {
		t.Fatal(err)
	}
	return compileSchema(t, tree)
}

// checkMetaSchema validates the document with the schema that the OpenRPC project
// publishes. The schema is not part of this repository: OPENRPC_META_SCHEMA names a
// file that .ci/openrpc-meta-schema.js generates from it.
func checkMetaSchema(t *testing.T, document []byte) {
	path := os.Getenv("OPENRPC_META_SCHEMA")
	if path == "" {
		t.Skip("OPENRPC_META_SCHEMA does not name a file with the OpenRPC meta-schema: .ci/run makes one")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var meta map[string]any
	if err := json.Unmarshal(data, &meta); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	schema := compileSchema(t, flatten(meta))
	issues, err := schema.Validate(document)
	if err != nil || len(issues) > 0 {
		t.Errorf("this is no OpenRPC document: %v %v", issues, err)
	}
	for _, change := range [][2]string{
		{`"paramStructure":"by-name"`, `"paramStructure":"by-guess"`},
		{`"type":"string"`, `"type":"text"`},
		{`"params":[`, `"parameters":[`},
	} {
		broken := strings.Replace(string(document), change[0], change[1], 1)
		if issues, err := schema.Validate([]byte(broken)); err != nil || len(issues) == 0 {
			t.Errorf("it checks nothing: a document with %s passes (%v)", change[1], err)
		}
	}
}

// flatten adds a top-level definition for every place that the schema refers to,
// because package schemas supports no other references.
func flatten(schema map[string]any) map[string]any {
	definitions := map[string]any{}
	names := map[string]string{} // by the original reference
	var visit func(any)
	visit = func(at any) {
		switch v := at.(type) {
		case []any:
			for _, child := range v {
				visit(child)
			}
		case map[string]any:
			for _, child := range v {
				visit(child)
			}
			ref, ok := v["$ref"].(string)
			if !ok {
				return
			}
			if names[ref] == "" {
				names[ref] = fmt.Sprint("D", len(names))
				definitions[names[ref]] = resolve(schema, ref)
			}
			v["$ref"] = "#/definitions/" + names[ref]
		}
	}
	visit(schema)
	flat := maps.Clone(schema)
	flat["definitions"] = definitions
	return flat
}
