package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/schemas"
)

// openRPCDocument is as much of an OpenRPC document as its rules are about.
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

// testOpenRPC holds the document of rpc.discover to the rules of the OpenRPC
// specification that its own schema cannot state, and to that schema.
func testOpenRPC(t *testing.T, p program) {
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
	t.Run("meta-schema", func(t *testing.T) { checkMetaSchema(t, raw) })
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
		if ref, ok := v["$ref"].(string); ok && !resolves(document, ref) {
			t.Errorf("$ref %q leads nowhere", ref)
		}
		for _, child := range v {
			checkReferences(t, document, child)
		}
	}
}

func resolves(document any, ref string) bool {
	pointer, local := strings.CutPrefix(ref, "#/")
	for _, name := range strings.Split(pointer, "/") {
		object, _ := document.(map[string]any)
		document = object[name]
	}
	return local && document != nil
}

// checkParams holds that params go by name, each once and the required ones
// first.
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

// checkExample holds that an example gives every required param and no unknown
// one, each with a value that fits.
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

// schemaOf compiles the schema of a content descriptor as a client would, from
// nothing but the document.
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

// checkMetaSchema validates the document with the schema that the OpenRPC
// project publishes as @open-rpc/meta-schema. It is not part of this
// repository: OPENRPC_META_SCHEMA names a file with its JSON.
func checkMetaSchema(t *testing.T, document []byte) {
	path := os.Getenv("OPENRPC_META_SCHEMA")
	if path == "" {
		t.Skip("OPENRPC_META_SCHEMA does not name a file with the JSON of @open-rpc/meta-schema")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var meta map[string]any
	if err := json.Unmarshal(data, &meta); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	schema := compileSchema(t, withoutRemotes(meta).(map[string]any))
	issues, err := schema.Validate(document)
	if err != nil || len(issues) > 0 {
		t.Errorf("the document is no OpenRPC document: %v %v", issues, err)
	}
	broken := strings.Replace(string(document), `"paramStructure":"by-name"`, `"paramStructure":"by-guess"`, 1)
	if issues, err := schema.Validate([]byte(broken)); err != nil || len(issues) == 0 {
		t.Errorf("a broken document passes: the check checks nothing (%v)", err)
	}
}

// withoutRemotes replaces what the meta-schema refers to elsewhere: JSON
// Schemas, which [openRPCDocument.schemaOf] compiles, and the string in $ref.
func withoutRemotes(schema any) any {
	switch v := schema.(type) {
	case []any:
		for i := range v {
			v[i] = withoutRemotes(v[i])
		}
	case map[string]any:
		ref, _ := v["$ref"].(string)
		switch {
		case strings.HasSuffix(ref, "/properties/$ref"):
			return map[string]any{"type": "string"}
		case ref != "" && !strings.HasPrefix(ref, "#"):
			return map[string]any{"type": []any{"object", "boolean"}}
		}
		for name := range v {
			v[name] = withoutRemotes(v[name])
		}
	}
	return schema
}
