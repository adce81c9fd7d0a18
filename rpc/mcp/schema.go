package mcp

import (
	"encoding/json"
	"strings"

	"instruction-catalog/rpc"
)

// Every word of a schema costs an agent context, in every conversation. So it
// is shown the contract without what a model does not act on; calls are checked
// against the whole contract all the same. References are resolved in place,
// which also makes a schema mean the same in every dialect that clients know.

// inputSchema is the schema of a tool's arguments. What they mean where an
// agent leaves them out stands as default.
func inputSchema(m *rpc.Method) json.RawMessage {
	tree := m.Schema().Params.Tree()
	l := &lean{root: tree, described: true, depth: 3}
	schema := l.schema(tree, 0)
	delete(schema, "description") // the tool's own says more
	var defaults map[string]any
	_ = json.Unmarshal(m.Tool.Defaults, &defaults)
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range defaults {
		if p, ok := properties[name].(map[string]any); ok {
			p["default"] = value
			withoutDefault(p)
		}
	}
	return encoded(schema)
}

// withoutDefault cuts off what the description of a param ends with in the
// contract: what the method does where it is left out. A tool's default changes
// that.
func withoutDefault(param map[string]any) {
	if text, ok := param["description"].(string); ok {
		param["description"], _, _ = strings.Cut(text, " Left out: ")
	}
}

// outputSchema is the outline of a tool's result: its members, and of what is
// within them only the kind.
func outputSchema(m *rpc.Method) json.RawMessage {
	tree := m.Schema().Result.Tree()
	l := &lean{root: tree, depth: 1}
	return encoded(l.schema(tree, 0))
}

// lean copies schemas without what a model does not act on.
type lean struct {
	root      map[string]any // where "#/definitions/…" is looked up
	described bool
	depth     int // of objects within objects whose members are shown
}

// longest is how many values an enum may have to be worth its bytes.
const longest = 10

// plain are the keywords that are copied as they are, and bounds those that only
// who has to fill in a value needs.
var (
	plain  = []string{"type", "required", "const", "default"}
	bounds = []string{"minimum", "maximum", "description", "additionalProperties"}
)

func (l *lean) schema(node map[string]any, depth int) map[string]any {
	node = l.resolved(node)
	kept := map[string]any{}
	for _, keyword := range plain {
		l.keep(kept, node, keyword)
	}
	if values, _ := node["enum"].([]any); len(values) <= longest && l.described {
		l.keep(kept, node, "enum")
	}
	if l.described {
		for _, keyword := range bounds {
			l.keep(kept, node, keyword)
		}
	}
	if items, ok := node["items"].(map[string]any); ok {
		kept["items"] = l.schema(items, depth+1)
	}
	if depth >= l.depth {
		delete(kept, "required")
		if branch := l.branch(node); branch != nil {
			l.keep(kept, branch, "type")
		}
		return kept
	}
	l.members(kept, node, depth)
	return kept
}

// branch is the first of the forms that a value may have, nil where it has one
// only.
func (l *lean) branch(node map[string]any) map[string]any {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := node[keyword].([]any); ok {
			return l.resolved(branches[0].(map[string]any))
		}
	}
	return nil
}

// members copies what says which members an object has.
func (l *lean) members(kept, node map[string]any, depth int) {
	if properties, ok := node["properties"].(map[string]any); ok {
		shown := map[string]any{}
		for name, p := range properties {
			shown[name] = l.schema(p.(map[string]any), depth+1)
		}
		kept["properties"] = shown
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := node[keyword].([]any); ok {
			shown := make([]any, len(branches))
			for i, b := range branches {
				shown[i] = l.schema(b.(map[string]any), depth)
			}
			kept[keyword] = shown
		}
	}
}

func (l *lean) keep(kept, node map[string]any, keyword string) {
	if value, ok := node[keyword]; ok {
		kept[keyword] = value
	}
}

// resolved returns what a reference refers to. What stands beside the reference
// is nearer to the reader than what it refers to.
func (l *lean) resolved(node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	definitions, _ := l.root["definitions"].(map[string]any)
	target, _ := definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
	merged := map[string]any{}
	for keyword, value := range l.resolved(target) {
		merged[keyword] = value
	}
	if own, ok := node["description"]; ok {
		merged["description"] = own
	}
	return merged
}

func encoded(schema any) json.RawMessage {
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}
