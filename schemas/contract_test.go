package schemas_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// Keywords that a document may use. All are in draft-07, are enforced by the library and
// are cheap to check. The list excludes contains, dependencies and later keywords.
// format and uniqueItems only document what the handler checks.
var (
	assertions = []string{
		"type", "enum", "const", "required", "minProperties", "maxProperties", "minItems", "maxItems",
		"minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	}
	annotations = []string{"title", "description", "default", "$comment", "format", "uniqueItems"}
	one         = []string{"items", "additionalProperties", "propertyNames", "not", "if", "then", "else"}
	many        = []string{"allOf", "anyOf", "oneOf"}
	named       = []string{"properties", "patternProperties", "definitions"}
	atTheTop    = []string{"$schema", "$id", "examples"}
)

// review returns the violations of the rules for documents in a schema.
func review(schema any, at string, top bool) []string {
	if _, ok := schema.(bool); ok && strings.HasSuffix(at, "/additionalProperties") {
		return nil
	}
	object, ok := schema.(map[string]any)
	if !ok {
		return []string{at + ": a schema must be an object"}
	}
	findings := reviewObject(object, at)
	for keyword, value := range object {
		at := at + "/" + keyword
		switch {
		case keyword == "$ref":
			findings = append(findings, reviewRef(object, at)...)
		case slices.Contains(one, keyword):
			findings = append(findings, review(value, at, false)...)
		case slices.Contains(many, keyword):
			for i, branch := range value.([]any) {
				findings = append(findings, review(branch, fmt.Sprint(at, "/", i), false)...)
			}
		case slices.Contains(named, keyword):
			for name, child := range value.(map[string]any) {
				findings = append(findings, review(child, at+"/"+name, false)...)
			}
		case top && slices.Contains(atTheTop, keyword):
		case !slices.Contains(assertions, keyword) && !slices.Contains(annotations, keyword):
			findings = append(findings, at+": this keyword is not enforced, or too costly")
		}
	}
	return findings
}

// reviewObject checks the rules for object members: each member is described, each
// required member exists, and additionalProperties is set. Names with a leading
// underscore are reserved for MCP and are not allowed in params.
func reviewObject(schema map[string]any, at string) []string {
	var findings []string
	properties, hasProperties := schema["properties"].(map[string]any)
	for name, property := range properties {
		if p, _ := property.(map[string]any); p["description"] == nil || p["description"] == "" {
			findings = append(findings, at+"/properties/"+name+": it has no description")
		}
		if strings.HasPrefix(name, "_") && name != "_warnings" { // the specification defines this one, in results
			findings = append(findings, at+"/properties/"+name+": such a name is MCP's")
		}
	}
	if _, said := schema["additionalProperties"]; hasProperties && !said {
		findings = append(findings, at+": it does not say whether there may be other properties")
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := properties[name.(string)]; hasProperties && !ok {
			findings = append(findings, fmt.Sprintf("%s: it requires %v, which it does not have", at, name))
		}
	}
	return findings
}

// reviewRef checks that a $ref has no siblings except descriptions, since draft-07
// ignores them.
func reviewRef(schema map[string]any, at string) []string {
	var findings []string
	for keyword := range schema {
		if keyword != "$ref" && !slices.Contains(annotations, keyword) {
			findings = append(findings, at+": "+keyword+" beside it is ignored")
		}
	}
	return findings
}

func TestDocumentsFollowTheRules(t *testing.T) {
	t.Parallel()
	var files []string
	for _, folder := range folders(t) {
		found, err := filepath.Glob(folder + "/*.json")
		if err != nil || len(found) == 0 {
			t.Fatal(folder, found, err)
		}
		files = append(files, found...)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if document["$schema"] != "http://json-schema.org/draft-07/schema#" || document["$id"] != "catalog:///"+name {
			t.Errorf("%s: $schema %v, $id %v", name, document["$schema"], document["$id"])
		}
		if document["description"] == nil || document["title"] == nil {
			t.Errorf("%s: it has no title or no description", name)
		}
		isMethod := document["examples"] != nil
		if isMethod {
			// The call itself is not part of the contract; its params and result are.
			document["additionalProperties"] = false
		}
		for _, finding := range review(document, name, true) {
			t.Error(finding)
		}
	}
}

// TestReviewFinds checks that review can find violations.
func TestReviewFinds(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, want string }{
		{`{"properties":{"a":{}},"additionalProperties":false}`, "a: it has no description"},
		{`{"properties":{"a":{"description":"x"}}}`, "other properties"},
		{`{"properties":{},"additionalProperties":false,"required":["a"]}`, "it requires a"},
		{`{"properties":{"_meta":{"description":"x"}}}`, "such a name is MCP's"},
		{`{"contains":{}}`, "not enforced, or too costly"},
		{`{"items":{"unevaluatedProperties":false}}`, "x/items/unevaluatedProperties: this keyword"},
		{`{"oneOf":[{"dependencies":{}}]}`, "x/oneOf/0/dependencies: this keyword"},
		{`{"definitions":{"A":{"prefixItems":[]}}}`, "prefixItems: this keyword"},
		{`{"items":[{}]}`, "a schema must be an object"},
		{`{"$ref":"#/definitions/A","minimum":1}`, "minimum beside it is ignored"},
		{`{"dependentRequired":{}}`, "this keyword"},
		{`{"$id":"x"}`, "this keyword"},
	}
	for _, tt := range tests {
		var schema map[string]any
		if err := json.Unmarshal([]byte(tt.schema), &schema); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(review(schema, "x", false), "\n"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.schema, got, tt.want)
		}
	}
}

// TestOnlyTheseObjectsAreOpen checks that params and results are closed, except where
// OpenRPC defines the content and where an entry may carry extensions.
func TestOnlyTheseObjectsAreOpen(t *testing.T) {
	t.Parallel()
	want := []string{
		"definition EntryProjection/properties/extensions",
		"definition InstructionEntry/properties/extensions",
		"rpc.discover result/properties/components",
		"rpc.discover result/properties/components/properties/schemas",
		"rpc.discover result/properties/info",
		"rpc.discover result/properties/methods/items",
		"rpc.discover result/properties/methods/items/properties/params/items",
		"rpc.discover result/properties/methods/items/properties/result",
	}
	open := map[string]bool{}
	for name, schema := range everySchema(t) {
		tree := maps.Clone(schema.Tree())
		delete(tree, "definitions")
		findOpen(tree, name, open)
	}
	if got := slices.Sorted(maps.Keys(open)); !slices.Equal(got, want) {
		t.Errorf("open are:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func findOpen(schema any, at string, open map[string]bool) {
	switch s := schema.(type) {
	case map[string]any:
		variants := s["oneOf"] != nil || s["allOf"] != nil
		if s["type"] == "object" && s["additionalProperties"] != false && !variants {
			open[at] = true
		}
		for name, child := range s {
			findOpen(child, at+"/"+name, open)
		}
	case []any:
		for i, child := range s {
			findOpen(child, fmt.Sprint(at, "/", i), open)
		}
	}
}

// TestBundlesAreValidSchemas checks every bundle against the meta-schema of draft-07,
// which is built into the library.
func TestBundlesAreValidSchemas(t *testing.T) {
	t.Parallel()
	for name, schema := range everySchema(t) {
		loader := gojsonschema.NewSchemaLoader()
		loader.Validate = true
		if _, err := loader.Compile(gojsonschema.NewBytesLoader(schema.Bundled())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEntryFieldsAgree checks that a projection has the fields of an entry, and that
// EntryField lists them.
func TestEntryFieldsAgree(t *testing.T) {
	t.Parallel()
	entry := definition(t, "InstructionEntry").Tree()["properties"].(map[string]any)
	projection := definition(t, "EntryProjection").Tree()["properties"].(map[string]any)
	if a, b := asJSON(t, entry), asJSON(t, projection); a != b {
		t.Errorf("the properties of InstructionEntry and EntryProjection differ:\n%s\n%s", a, b)
	}
	var fields []string
	for _, f := range definition(t, "EntryField").Tree()["enum"].([]any) {
		fields = append(fields, f.(string))
	}
	slices.Sort(fields)
	if want := slices.Sorted(maps.Keys(entry)); !slices.Equal(fields, want) {
		t.Errorf("EntryField names %q, an entry has %q", fields, want)
	}
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
