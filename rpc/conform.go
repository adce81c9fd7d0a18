package rpc

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Shaped is implemented by types that encode themselves: Shape returns a
// value of the struct whose members they write.
type Shaped interface {
	Shape() any
}

// conforms compares the Go types of params and result with the schemas. Its
// error names every member that only one side has, or that has another type.
func (m *Method) conforms() error {
	return errors.Join(
		conform(m.params, m.contract.Params.Tree(), "params"),
		conform(m.result, m.contract.Result.Tree(), "result"),
	)
}

// schemaNode is a JSON Schema in decoded form.
type schemaNode = map[string]any

// comparison walks a Go type and a schema side by side.
type comparison struct {
	root     schemaNode // where "#/definitions/…" is looked up
	problems []error
	within   map[reflect.Type]bool // the structs that are being compared
}

func conform(t reflect.Type, root schemaNode, path string) error {
	c := &comparison{root: root, within: map[reflect.Type]bool{}}
	c.compare(t, []schemaNode{root}, path)
	return errors.Join(c.problems...)
}

// compare holds t against the alternatives that the schema allows at path.
func (c *comparison) compare(t reflect.Type, schemas []schemaNode, path string) {
	schemas = c.alternatives(schemas)
	if shaped, ok := reflect.Zero(t).Interface().(Shaped); ok {
		t = reflect.TypeOf(shaped.Shape())
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface:
	case t.Kind() == reflect.Pointer:
		c.compare(t.Elem(), schemas, path)
	case t.Kind() == reflect.Struct:
		c.compareStruct(t, schemas, path)
	case t.Kind() == reflect.Slice:
		c.expect("array", schemas, path)
		c.compare(t.Elem(), children(schemas, "items"), path+"[]")
	case t.Kind() == reflect.Map:
		c.expect("object", schemas, path)
		c.compare(t.Elem(), children(schemas, "additionalProperties"), path+".*")
	default:
		c.expect(jsonType(t.Kind()), schemas, path)
	}
}

func (c *comparison) compareStruct(t reflect.Type, schemas []schemaNode, path string) {
	if c.within[t] {
		return // a type within itself
	}
	c.within[t] = true
	defer delete(c.within, t)
	fields, properties := members(t), map[string][]schemaNode{}
	for _, s := range schemas {
		for name, property := range node(s["properties"]) {
			properties[name] = append(properties[name], node(property))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, ok := properties[name]; !ok {
			c.report("%s.%s is in the Go type %s and not in the schema", path, name, t)
			continue
		}
		c.compare(fields[name], properties[name], path+"."+name)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, ok := fields[name]; !ok {
			c.report("%s.%s is in the schema and not in the Go type %s", path, name, t)
		}
	}
}

// alternatives follows references and spreads oneOf, anyOf and allOf.
func (c *comparison) alternatives(schemas []schemaNode) []schemaNode {
	var out []schemaNode
	for _, s := range schemas {
		if ref, ok := s["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, "#/definitions/")
			s = node(node(c.root["definitions"])[name])
			out = append(out, c.alternatives([]schemaNode{s})...)
			continue
		}
		out = append(out, s)
		for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
			list, _ := s[keyword].([]any)
			for _, branch := range list {
				out = append(out, c.alternatives([]schemaNode{node(branch)})...)
			}
		}
	}
	return out
}

// expect reports unless some alternative has the type.
func (c *comparison) expect(want string, schemas []schemaNode, path string) {
	for _, s := range schemas {
		switch got := s["type"]; {
		case got == want, got == "integer" && want == "number":
			return
		case got == nil && (s["enum"] != nil || s["const"] != nil):
			return
		}
	}
	c.report("%s is %s in Go and something else in the schema", path, want)
}

func (c *comparison) report(format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf(format, args...))
}

// members are the JSON members of a struct, those of embedded structs included.
func members(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" || name == "-" || !f.IsExported() {
			continue
		}
		out[cmp.Or(name, f.Name)] = f.Type
	}
	return out
}

func children(schemas []schemaNode, keyword string) []schemaNode {
	var out []schemaNode
	for _, s := range schemas {
		if child := node(s[keyword]); child != nil {
			out = append(out, child)
		}
	}
	return out
}

func node(v any) schemaNode {
	n, _ := v.(map[string]any)
	return n
}

func jsonType(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "boolean"
	case k == reflect.String:
		return "string"
	case k == reflect.Float32 || k == reflect.Float64:
		return "number"
	default:
		return "integer"
	}
}
