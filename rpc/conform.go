package rpc

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"instruction-catalog/schemas"
)

// Shaped is implemented by types with a JSON encoding of their own. Shape returns a
// value of a plain Go type that has the same JSON.
type Shaped interface {
	Shape() any
}

// Conforms compares the Go types of the params and results of all methods with their
// schemas. Its error names every member that only one side has, and every member whose
// types differ. It is for tests and generators: it finds only programming errors, so a
// server need not call it at each start.
func (r *Registry) Conforms() error {
	var problems []error
	for _, m := range r.Methods() {
		err := errors.Join(conform(m.params, m.contract.Params, "params"), conform(m.result, m.contract.Result, "result"))
		if err != nil {
			problems = append(problems, fmt.Errorf("toolset %s: method %q: %w", m.toolset.Name, m.Name, err))
		}
	}
	return errors.Join(problems...)
}

// schemaNode is a JSON Schema in decoded form.
type schemaNode = map[string]any

func node(v any) schemaNode {
	n, _ := v.(map[string]any)
	return n
}

// comparison walks a Go type and a schema side by side.
type comparison struct {
	definitions schemaNode
	within      []reflect.Type // the structs being compared, outermost first
	problems    []error
}

func conform(t reflect.Type, schema *schemas.Schema, path string) error {
	tree := schema.Tree()
	c := &comparison{definitions: node(tree["definitions"])}
	c.compare(path, t, c.forms(tree))
	return errors.Join(c.problems...)
}

// forms returns the schemas that may or must apply to a value: the schema itself and
// the branches of its oneOf, anyOf and allOf. It resolves a reference first.
func (c *comparison) forms(schema any) []schemaNode {
	n := node(schema)
	if n == nil {
		return nil
	}
	if ref, ok := n["$ref"].(string); ok {
		return c.forms(c.definitions[strings.TrimPrefix(ref, "#/definitions/")])
	}
	forms := []schemaNode{n}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		branches, _ := n[keyword].([]any)
		for _, branch := range branches {
			forms = append(forms, c.forms(branch)...)
		}
	}
	return forms
}

// below returns the forms of the subschemas that the forms have under a keyword, such as
// items.
func (c *comparison) below(forms []schemaNode, keyword string) (all []schemaNode) {
	for _, f := range forms {
		all = append(all, c.forms(f[keyword])...)
	}
	return all
}

// properties returns the forms of each property that the forms define, by name.
func (c *comparison) properties(forms []schemaNode) map[string][]schemaNode {
	all := map[string][]schemaNode{}
	for _, f := range forms {
		for name, property := range node(f["properties"]) {
			all[name] = append(all[name], c.forms(property)...)
		}
	}
	return all
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	jsonNumber    = reflect.TypeFor[json.Number]()
	shaped        = reflect.TypeFor[Shaped]()
)

// compare checks t against the forms that the schema allows.
func (c *comparison) compare(path string, t reflect.Type, forms []schemaNode) {
	if t.Kind() != reflect.Interface && t.Implements(shaped) {
		t = reflect.TypeOf(reflect.Zero(t).Interface().(Shaped).Shape())
	}
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		c.compare(path, t.Elem(), forms)
	case t == jsonNumber:
		c.expect(path, "number", forms)
	case t.Implements(textMarshaler):
		c.expect(path, "string", forms)
	case kind == reflect.Interface || t.Implements(marshaler):
		// Any JSON type is possible.
	case kind == reflect.Struct:
		c.compareStruct(path, t, forms)
	case kind == reflect.Slice:
		c.expect(path, "array", forms)
		c.compare(path+"[]", t.Elem(), c.below(forms, "items"))
	case kind == reflect.Map:
		c.expect(path, "object", forms)
		c.compare(path+".*", t.Elem(), c.below(forms, "additionalProperties"))
	default:
		c.expect(path, jsonType(kind), forms)
	}
}

func (c *comparison) compareStruct(path string, t reflect.Type, forms []schemaNode) {
	if slices.Contains(c.within, t) {
		return // a recursive type
	}
	c.within = append(c.within, t)
	fields, properties := members(t), c.properties(forms)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if below, ok := properties[name]; ok {
			c.compare(path+"."+name, fields[name], below)
		} else {
			c.report(path, ".%s is in the Go type %s and not in the schema", name, t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, ok := fields[name]; !ok {
			c.report(path, ".%s is in the schema and not in the Go type %s", name, t)
		}
	}
	c.within = c.within[:len(c.within)-1]
}

// expect reports a problem unless some form allows the JSON type want.
func (c *comparison) expect(path, want string, forms []schemaNode) {
	for _, f := range forms {
		types, ok := f["type"].([]any)
		if !ok {
			types = []any{f["type"]}
		}
		fixed := f["enum"] != nil || f["const"] != nil
		if slices.Contains(types, any(want)) || want == "number" && slices.Contains(types, any("integer")) || f["type"] == nil && fixed {
			return
		}
	}
	c.report(path, " is %s in Go and something else in the schema", want)
}

// report adds a problem, whose message is the path followed by the formatted text.
func (c *comparison) report(path, format string, args ...any) {
	c.problems = append(c.problems, errors.New(path+fmt.Sprintf(format, args...)))
}

// members returns the JSON members of a struct by name. It includes those of embedded
// structs, unless a less deeply nested member has the same name.
func members(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue
		}
		name = cmp.Or(name, f.Name)
		if _, nearer := all[name]; !nearer || len(f.Index) == 1 {
			all[name] = f.Type
		}
	}
	return all
}

func jsonType(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	default:
		return "integer"
	}
}
