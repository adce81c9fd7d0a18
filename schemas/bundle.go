package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"instruction-catalog/schemas/jsonscan"
)

// dialect is the $schema of every document and every bundle.
const dialect = "http://json-schema.org/draft-07/schema#"

// closure returns all definitions that a fragment needs, by name.
func (f *fragment) closure() map[string]*fragment {
	need := map[string]*fragment{}
	queue := []*fragment{f}
	for len(queue) > 0 {
		f, queue = queue[0], queue[1:]
		for _, r := range f.refs() {
			if need[r.name] == nil {
				need[r.name] = f.document.set.definition(r)
				queue = append(queue, need[r.name])
			}
		}
	}
	return need
}

// replaced reports whether a bundle has a member of its own instead of one at
// the top of a document.
func replaced(name string) bool { return name == "$schema" || name == "$id" || name == "definitions" }

// bundle returns the schema as one object without any reference to the
// outside. Members keep the order in which they were written; the definitions
// come last, by name.
func (f *fragment) bundle() json.RawMessage {
	var out bytes.Buffer
	out.WriteString(`{"$schema":"` + dialect + `"`)
	s := jsonscan.New(f.text())
	for name := range s.Members() {
		value := s.Raw()
		if !replaced(string(name)) {
			fmt.Fprintf(&out, ",%s:%s", quote(string(name)), value)
		}
	}
	definitions := f.closure()
	for i, name := range slices.Sorted(maps.Keys(definitions)) {
		opening := ","
		if i == 0 {
			opening = `,"definitions":{`
		}
		fmt.Fprintf(&out, "%s%s:%s", opening, quote(name), definitions[name].text())
	}
	if len(definitions) > 0 {
		out.WriteByte('}')
	}
	out.WriteByte('}')
	return out.Bytes()
}

// bundleTree returns what bundle does, decoded. Definitions are decoded once
// for all bundles that hold them.
func (f *fragment) bundleTree() map[string]any {
	tree := maps.Clone(f.tree())
	maps.DeleteFunc(tree, func(name string, _ any) bool { return replaced(name) })
	tree["$schema"] = dialect
	definitions := map[string]any{}
	for name, definition := range f.closure() {
		definitions[name] = definition.tree()
	}
	if len(definitions) > 0 {
		tree["definitions"] = definitions
	}
	return tree
}
