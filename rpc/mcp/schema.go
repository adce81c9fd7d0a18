package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"instruction-catalog/rpc"
)

// A tool whose name is given by a specification is shown with the whole schema of
// that specification. For other tools every word costs an agent context, in every
// conversation, so their schemas leave out what a model does not act on. Calls are
// checked against the whole contract either way. References are resolved in place,
// which makes a schema mean the same in every dialect that clients know.

// inputSchema is the schema of a tool's arguments. What an omitted argument means is
// given as its default. The user is not among the arguments if the server knows the
// caller.
func inputSchema(m *rpc.Method) json.RawMessage {
	schema := shown(m, m.Schema().Params.Bundled(), view{described: true, depth: 3})
	delete(schema, "description") // the tool's own says more
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

// withoutDefault cuts off what the description of a param ends with in the
// contract: what the method does where it is left out. A tool's default changes
// that.
func withoutDefault(param map[string]any) {
	if text, ok := param["description"].(string); ok {
		param["description"], _, _ = strings.Cut(text, " Left out: ")
	}
}

// outputSchema is the schema of a tool's structured content; see [toolResult].
// A lean one is an outline: the members of the result, and of what is within them
// only the kind.
func outputSchema(m *rpc.Method) json.RawMessage {
	result := shown(m, m.Schema().Result.Bundled(), view{depth: 1})
	unshow(result, m.Tool.Unshown)
	schema := asObject(result)
	if m.Toolset().Errors != nil {
		schema = orError(schema)
	}
	return encoded(schema)
}

// unshow removes members from the schema of an object, in each of its forms.
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

// orError is the schema of a result or an error in the shape of a toolset: clients
// hold both against it, and do not show a model what does not fit.
func orError(schema map[string]any) map[string]any {
	failure := map[string]any{
		"type": "object", "required": []any{"error"},
		"properties": map[string]any{"error": map[string]any{"description": "What is wrong, where the call failed."}},
	}
	either := map[string]any{"type": "object", "anyOf": []any{schema, failure}}
	if definitions, ok := schema["definitions"]; ok { // to which references lead from the root
		delete(schema, "definitions")
		either["definitions"] = definitions
	}
	return either
}

// asObject is the schema of what [toolResult] makes of values of a schema.
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

// forms returns what a value may be at the root: the types where there are
// several, else the branches, else the schema itself.
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

// shown returns a schema as a tool shows it: whole where a specification gives
// the tool its name, else lean.
func shown(m *rpc.Method, schema json.RawMessage, lean view) map[string]any {
	var root map[string]any
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	if err := decoder.Decode(&root); err != nil {
		panic(err) // the contract is JSON
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

// view copies schemas, as far as they are shown.
type view struct {
	root      map[string]any // where "#/definitions/…" is looked up
	described bool
	depth     int // of objects within objects whose members are shown
}

// whole copies everything, with what references refer to in their place. Descriptions
// are copied where they are shown: of a result, the names say enough.
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

// maxEnum is how many values an enum may have to be worth its bytes.
const maxEnum = 10

// plain are the keywords that are copied as they are, and bounds those that only
// who has to fill in a value needs.
var (
	plain  = []string{"type", "required", "const", "default"}
	bounds = []string{"minimum", "maximum", "description", "additionalProperties"}
)

// schema copies what a model acts on.
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

// branch is the first of the forms that a value may have, nil where it has one
// only.
func (v *view) branch(node map[string]any) map[string]any {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := node[keyword].([]any); ok {
			return v.resolved(branches[0].(map[string]any))
		}
	}
	return nil
}

// members copies what says which members an object has.
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

// resolved returns what a reference refers to. What stands beside the reference
// is nearer to the reader than what it refers to.
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
