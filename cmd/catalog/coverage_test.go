package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"instruction-catalog/schemas"
)

// coverage records which places of a schema the results have reached: every possible
// member, and every branch of oneOf and anyOf.
type coverage struct {
	root    map[string]any
	reached map[string]bool            // by place, such as items[].title or anyOf 1 of items[]
	single  map[string]*schemas.Schema // each branch as a separate schema, by place
}

func newCoverage(s *schemas.Schema) *coverage {
	c := &coverage{root: s.Tree(), reached: map[string]bool{}, single: map[string]*schemas.Schema{}}
	c.plan(c.root, "")
	return c
}

// branch is one of the schemas that a value may match.
type branch struct {
	schema map[string]any
	place  string
}

func (c *coverage) branches(schema map[string]any, at string) (all []branch) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list, _ := schema[keyword].([]any)
		for i, b := range list {
			all = append(all, branch{b.(map[string]any), strings.TrimSuffix(fmt.Sprintf("%s %d of %s", keyword, i+1, at), " of ")})
		}
	}
	return all
}

// resolve follows a reference to a definition.
func (c *coverage) resolve(schema map[string]any) map[string]any {
	ref, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	definitions := c.root["definitions"].(map[string]any)
	return definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
}

// plan records every place of the schema.
func (c *coverage) plan(schema map[string]any, at string) {
	schema = c.resolve(schema)
	properties, _ := schema["properties"].(map[string]any)
	for name, child := range properties {
		place := member(at, name)
		c.reached[place] = false
		c.plan(child.(map[string]any), place)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		c.plan(items, at+"[]")
	}
	for _, b := range c.branches(schema, at) {
		c.reached[b.place] = false
		c.plan(b.schema, at)
	}
}

func member(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

// result records the places that a result reaches. It returns the title of the root's
// branch that it matches, or "" if the root has no branches.
func (c *coverage) result(t *testing.T, raw []byte) (variant string) {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	c.visit(t, c.root, value, "")
	for _, b := range c.branches(c.root, "") {
		if c.fits(t, b, value) {
			variant += b.schema["title"].(string)
		}
	}
	return variant
}

func (c *coverage) visit(t *testing.T, schema map[string]any, value any, at string) {
	t.Helper()
	schema = c.resolve(schema)
	properties, _ := schema["properties"].(map[string]any)
	object, _ := value.(map[string]any)
	for name, child := range properties {
		if v, ok := object[name]; ok {
			c.reached[member(at, name)] = true
			c.visit(t, child.(map[string]any), v, member(at, name))
		}
	}
	items, _ := schema["items"].(map[string]any)
	array, _ := value.([]any)
	for _, v := range array {
		c.visit(t, items, v, at+"[]")
	}
	for _, b := range c.branches(schema, at) {
		if c.fits(t, b, value) {
			c.reached[b.place] = true
			c.visit(t, b.schema, value, at)
		}
	}
}

// fits reports whether a value matches a branch, regardless of the other branches.
func (c *coverage) fits(t *testing.T, b branch, value any) bool {
	t.Helper()
	schema := c.single[b.place]
	if schema == nil {
		schema = compileSchema(t, map[string]any{"allOf": []any{b.schema}, "definitions": c.root["definitions"]})
		c.single[b.place] = schema
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	issues, err := schema.Validate(data)
	if err != nil {
		t.Fatal(err)
	}
	return len(issues) == 0
}

// compileSchema compiles a schema from a tree whose references are all local.
func compileSchema(t *testing.T, tree map[string]any) *schemas.Schema {
	t.Helper()
	tree = maps.Clone(tree)
	maps.DeleteFunc(tree, func(_ string, v any) bool { return v == nil })
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	set, err := schemas.Load(fstest.MapFS{"file.tree.json": {Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	schema, _ := set.File("tree")
	return schema
}

// missing returns the places that no result has reached, sorted.
func (c *coverage) missing() (places []string) {
	for _, place := range slices.Sorted(maps.Keys(c.reached)) {
		if !c.reached[place] {
			places = append(places, place)
		}
	}
	return places
}
