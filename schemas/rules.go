package schemas

import (
	"fmt"
	"maps"
	"slices"

	"github.com/xeipuuv/gojsonschema"
)

// rules is a compiled schema.
//
// The library validates every element of an array and keeps every error, at about 1 kB
// each. Two megabytes of [1,1,1,…] in place of objects would take more than 1 GB.
// Callers of a method can make only the arrays directly under the root long. Their
// elements are therefore compiled separately and checked one by one, until there are
// [MaxIssues] issues.
type rules struct {
	tree     map[string]any
	whole    *gojsonschema.Schema            // the schema without the element schemas
	elements map[string]*gojsonschema.Schema // by name of the array property
}

// compile compiles a bundled schema. All references are local, so the library fetches
// nothing.
func compile(tree map[string]any) (*rules, error) {
	whole, elements := split(tree)
	r := &rules{tree: tree, elements: map[string]*gojsonschema.Schema{}}
	var err error
	if r.whole, err = gojsonschema.NewSchema(gojsonschema.NewGoLoader(whole)); err != nil {
		return nil, err
	}
	for name, items := range elements {
		if r.elements[name], err = gojsonschema.NewSchema(gojsonschema.NewGoLoader(items)); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// split separates the element schemas of the arrays directly under the root from the
// rest. It also removes format and uniqueItems from the properties there, which are only
// documentation: the library would reject UUIDs in capitals, and keep one error per
// duplicate element. Handlers check both. split does not modify tree.
func split(tree map[string]any) (whole map[string]any, elements map[string]map[string]any) {
	properties, _ := tree["properties"].(map[string]any)
	properties = maps.Clone(properties)
	elements = map[string]map[string]any{}
	for name, property := range properties {
		p, ok := property.(map[string]any)
		if !ok {
			continue
		}
		p = maps.Clone(p)
		properties[name] = p
		delete(p, "format")
		delete(p, "uniqueItems")
		if items, ok := p["items"].(map[string]any); ok {
			delete(p, "items")
			elements[name] = withDefinitions(items, tree)
		}
	}
	whole = maps.Clone(tree)
	if properties != nil {
		whole["properties"] = properties
	}
	return whole, elements
}

func withDefinitions(schema, tree map[string]any) map[string]any {
	schema = maps.Clone(schema)
	schema["$schema"] = dialect
	if definitions, ok := tree["definitions"]; ok {
		schema["definitions"] = definitions
	}
	return schema
}

// check returns the issues of value, unsorted.
func (r *rules) check(value any) []Issue {
	issues := r.explain(r.whole, value, nil)
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(r.elements)) {
		array, _ := object[name].([]any)
		issues = append(issues, r.checkElements(name, array)...)
	}
	return issues
}

func (r *rules) checkElements(name string, array []any) []Issue {
	var issues []Issue
	for i, element := range array {
		if len(issues) >= MaxIssues {
			return issues
		}
		at := []step{{Name: name}, {Index: i, IsIndex: true}}
		issues = append(issues, r.explain(r.elements[name], element, at)...)
	}
	return issues
}

// explain validates value against one compiled schema. at is the path of value within
// the whole input.
func (r *rules) explain(schema *gojsonschema.Schema, value any, at []step) []Issue {
	result, err := schema.Validate(gojsonschema.NewRawLoader(value))
	if err != nil {
		return []Issue{{Path: render(at), Message: fmt.Sprintf("cannot be checked: %v", err)}}
	}
	var findings []finding
	for _, e := range result.Errors() {
		findings = append(findings, r.finding(e, value, at))
	}
	return readable(findings)
}
