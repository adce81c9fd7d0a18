package schemas

import (
	"fmt"
	"maps"
	"slices"

	"github.com/xeipuuv/gojsonschema"
)

// rules is a compiled schema.
//
// The library checks an array to its end and keeps every error, at about a
// kilobyte each: two megabytes of [1,1,1,…] where objects are expected would
// cost more than a gigabyte. The elements of the arrays directly under the
// root, the only ones that a caller of a method can make long, are therefore
// compiled apart and checked one by one, until there are enough issues.
type rules struct {
	tree     map[string]any
	whole    *gojsonschema.Schema            // without the elements
	elements map[string]*gojsonschema.Schema // by name of the array's property
}

// compile compiles a bundled schema. Its references are all local, so that the
// library finds nothing to fetch.
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

// split takes the schemas of the elements out of the arrays directly under the
// root, and out of every property there what its documents say for readers alone:
// the library takes no UUID in capitals, and of doubled elements it keeps an error
// each. Handlers check both. The tree itself stays as it is.
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

// check returns what does not fit, in no particular order.
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

// explain checks a value, which stands at a path in the whole, with one of the
// compiled schemas.
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
