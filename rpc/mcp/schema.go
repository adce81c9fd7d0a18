package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"instruction-catalog/rpc"
)

// A tool whose name is defined by a specification has the whole schema of that
// specification. For other tools, every word takes up context in every conversation of an
// agent, so their schemas omit what a model does not act on. In both cases, calls are checked
// against the whole contract. References are replaced by the schemas that they refer to, so
// that a schema means the same in every dialect of JSON Schema.

// inputSchema returns the schema of a tool's arguments. It includes the defaults of the
// [rpc.Tool]. It omits the method's UserParam, if any.
func inputSchema(m *rpc.Method) json.RawMessage {
	schema := shown(m, m.Schema().Params.Bundled(), view{described: true, depth: 3})
	delete(schema, "description") // the tool has its own description
	properties, _ := schema["properties"].(map[string]any)
	if m.UserParam != "" {
		delete(properties, m.UserParam)
		withoutRequired(schema, m.UserParam)
	}
	unshow(schema, m.Tool.Unshown)
	var defaults map[string]any
	_ = json.Unmarshal(m.Tool.Defaults, &defaults)
	for name, value := range defaults {
		if p, ok := properties[name].(map[string]any); ok {
			p["default"] = value
			withoutDefault(p)
		}
	}
	return encoded(schema)
}

func withoutRequired(schema map[string]any, name string) {
	required, _ := schema["required"].([]any)
	required = slices.DeleteFunc(slices.Clone(required), func(one any) bool { return one == name })
	delete(schema, "required")
	if len(required) > 0 {
		schema["required"] = required
	}
}

// withoutDefault removes the part of a param's description that starts with "Left out:". In
// the contract it describes the default of the method, but the tool has another default.
func withoutDefault(param map[string]any) {
	if text, ok := param["description"].(string); ok {
		param["description"], _, _ = strings.Cut(text, " Left out: ")
	}
}

// outputSchema returns the schema of a tool's structured content; see [toolResult]. A reduced
// schema (see [shown]) has only the members of the result and their types.
func outputSchema(m *rpc.Method) json.RawMessage {
	result := shown(m, m.Schema().Result.Bundled(), view{depth: 1})
	unshow(result, m.Tool.Unshown)
	schema := asObject(result)
	if m.Toolset().Errors != nil {
		schema = orError(schema)
	}
	return encoded(schema)
}

// unshow removes the named members from the schema of an object, and from the branches of its
// oneOf and anyOf.
func unshow(schema map[string]any, names []string) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range names {
		delete(properties, name)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		branches, _ := schema[keyword].([]any)
		for _, branch := range branches {
			unshow(branch.(map[string]any), names)
		}
	}
}

// orError returns a schema that accepts a result or an error of a toolset with
// [rpc.Toolset.Errors]. Clients validate both, and do not show a model a value that does not
// fit.
func orError(schema map[string]any) map[string]any {
	failure := map[string]any{
		"type": "object", "required": []any{"error"},
		"properties": map[string]any{"error": map[string]any{"description": "What is wrong, where the call failed."}},
	}
	either := map[string]any{"type": "object", "anyOf": []any{schema, failure}}
	if definitions, ok := schema["definitions"]; ok { // references are relative to the root
		delete(schema, "definitions")
		either["definitions"] = definitions
	}
	return either
}

// asObject returns the schema of the structured content that [toolResult] creates from values
// of the given schema: values that are not objects are wrapped in {"result": …}.
func asObject(schema map[string]any) map[string]any {
	var objects, others []any
	for _, form := range forms(schema) {
		if form["type"] == "object" {
			objects = append(objects, form)
		} else {
			others = append(others, form)
		}
	}
	if len(others) == 0 {
		return schema
	}
	value := map[string]any{"anyOf": others}
	if len(objects) == 0 {
		value = schema
	}
	wrapped := map[string]any{
		"type": "object", "required": []any{"result"}, "additionalProperties": false,
		"properties": map[string]any{"result": value},
	}
	if len(objects) == 0 {
		return wrapped
	}
	return map[string]any{"type": "object", "anyOf": append(objects, wrapped)}
}

// forms returns the alternatives of a schema at its root: one schema per type if it has
// several types, otherwise the branches of its oneOf or anyOf, otherwise the schema itself.
func forms(schema map[string]any) []map[string]any {
	if types, ok := schema["type"].([]any); ok {
		var all []map[string]any
		for _, one := range types {
			form := maps.Clone(schema)
			form["type"] = one
			all = append(all, form)
		}
		return all
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		branches, ok := schema[keyword].([]any)
		if !ok || schema["type"] != nil {
			continue
		}
		var all []map[string]any
		for _, b := range branches {
			all = append(all, forms(b.(map[string]any))...)
		}
		return all
	}
	return []map[string]any{schema}
}

// shown returns the schema for a tool: the whole schema if a specification defines the tool's
// name, otherwise a reduced copy made with lean.
func shown(m *rpc.Method, schema json.RawMessage, lean view) map[string]any {
	var root map[string]any
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	if err := decoder.Decode(&root); err != nil {
		panic(err) // the contract is valid JSON
	}
	lean.root = root
	if m.Tool.Name != "" {
		whole := lean.whole(root).(map[string]any)
		delete(whole, "definitions")
		delete(whole, "$schema")
		return whole
	}
	return lean.schema(root, 0)
}

// view copies schemas, in whole or reduced.
type view struct {
	root      map[string]any // the schema in which "#/definitions/…" is resolved
	described bool           // descriptions are included
	depth     int            // members of objects nested at this depth or deeper are omitted
}

// whole copies a whole schema and replaces references by the schemas that they refer to. It
// omits descriptions unless v.described is set; results need none, as the names say enough.
func (v *view) whole(node any) any {
	switch node := node.(type) {
	case map[string]any:
		copied := map[string]any{}
		for keyword, value := range v.resolved(node) {
			if _, text := value.(string); !text || keyword != "description" || v.described {
				copied[keyword] = v.whole(value)
			}
		}
		return copied
	case []any:
		copied := make([]any, len(node))
		for i, value := range node {
			copied[i] = v.whole(value)
		}
		return copied
	}
	return node
}

// maxEnum is the maximum number of values of an enum in a reduced schema. A longer enum takes
// more bytes than it is worth.
const maxEnum = 10

// plain lists the keywords that are always copied. bounds lists those that are copied only
// for arguments, because they help to choose a value.
var (
	plain  = []string{"type", "required", "const", "default"}
	bounds = []string{"minimum", "maximum", "description", "additionalProperties"}
)

// schema returns a reduced copy of a schema with the parts that a model acts on.
func (v *view) schema(node map[string]any, depth int) map[string]any {
	node = v.resolved(node)
	kept := map[string]any{}
	keep(kept, node, plain...)
	if values, _ := node["enum"].([]any); len(values) <= maxEnum && v.described {
		keep(kept, node, "enum")
	}
	if v.described {
		keep(kept, node, bounds...)
	}
	if items, ok := node["items"].(map[string]any); ok {
		kept["items"] = v.schema(items, depth+1)
	}
	if depth >= v.depth {
		delete(kept, "required")
		if branch := v.branch(node); branch != nil {
			keep(kept, branch, "type")
		}
		return kept
	}
	v.members(kept, node, depth)
	return kept
}

// branch returns the first branch of a schema's oneOf or anyOf, or nil if it has neither.
func (v *view) branch(node map[string]any) map[string]any {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := node[keyword].([]any); ok {
			return v.resolved(branches[0].(map[string]any))
		}
	}
	return nil
}

// members copies the properties, oneOf and anyOf of a schema, in reduced form.
func (v *view) members(kept, node map[string]any, depth int) {
	if properties, ok := node["properties"].(map[string]any); ok {
		shown := map[string]any{}
		for name, p := range properties {
			shown[name] = v.schema(p.(map[string]any), depth+1)
		}
		kept["properties"] = shown
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := node[keyword].([]any); ok {
			shown := make([]any, len(branches))
			for i, b := range branches {
				shown[i] = v.schema(b.(map[string]any), depth)
			}
			kept[keyword] = shown
		}
	}
}

func keep(kept, node map[string]any, keywords ...string) {
	for _, keyword := range keywords {
		if value, ok := node[keyword]; ok {
			kept[keyword] = value
		}
	}
}

// resolved returns the schema that a reference refers to, or node if it is not a reference. A
// description beside the reference replaces that of the schema.
func (v *view) resolved(node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	definitions, _ := v.root["definitions"].(map[string]any)
	target, _ := definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
	merged := maps.Clone(v.resolved(target))
	keep(merged, node, "description")
	return merged
}

func encoded(schema any) json.RawMessage {
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}
