package mcp

import (
	"encoding/json"
	"maps"

	"instruction-catalog/rpc"
)

// Every word of a schema costs an agent context, in every conversation. So it
// is shown the contract without what a model does not act on. What is left out
// is still checked when the tool is called.

// inputSchema is the schema of the arguments: what may be left out is, and what
// that means stands as default.
func inputSchema(m *rpc.Method) json.RawMessage {
	tree := lean(m.Schema().Params.Tree(), true).(map[string]any)
	var defaults map[string]any
	_ = json.Unmarshal(m.Tool.Defaults, &defaults)
	properties, _ := tree["properties"].(map[string]any)
	for name, value := range defaults {
		if p, ok := properties[name].(map[string]any); ok {
			p["default"] = value
		}
	}
	return encoded(tree)
}

// outputSchema is the schema of the result, for programs: without descriptions.
func outputSchema(m *rpc.Method) json.RawMessage {
	return encoded(lean(m.Schema().Result.Tree(), false))
}

// mute are the members of a schema that say nothing to a model.
var mute = map[string]bool{"$schema": true, "$id": true, "title": true, "examples": true}

// longest is how many values an enum may have to be worth its bytes.
const longest = 10

// lean returns a copy of a schema without what a model does not act on.
func lean(node any, described bool) any {
	switch node := node.(type) {
	case map[string]any:
		kept := maps.Clone(node)
		maps.DeleteFunc(kept, func(name string, value any) bool {
			values, _ := value.([]any)
			return mute[name] || name == "description" && !described || name == "enum" && len(values) > longest
		})
		for name, value := range kept {
			kept[name] = lean(value, described)
		}
		return kept
	case []any:
		kept := make([]any, len(node))
		for i, value := range node {
			kept[i] = lean(value, described)
		}
		return kept
	}
	return node
}

func encoded(tree any) json.RawMessage {
	text, err := json.Marshal(tree)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}
