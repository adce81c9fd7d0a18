package schemas_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"

	"instruction-catalog/schemas"
)

func TestBundledKeepsTheOrderAndAddsDefinitions(t *testing.T) {
	t.Parallel()
	set := load(t, map[string]string{
		"types.json": `{"definitions": {
			"Inner": {"type": "string"},
			"Outer": {"items": {"$ref": "#/definitions/Inner", "description": "say \"$ref\": \"x\""}},
			"Unused": {}
		}}`,
		"a.json": `{"title": "a", "properties": {
			"params": {"z": 1, "properties": {"b": {"$ref" : "types.json#/definitions/Outer"}, "a": {}}},
			"result": {"type": "null"}
		}}`,
		"file.f.json": `{"$schema": "x", "$id": "y", "title": "f", "definitions": {"Local": {}}, "items": {"$ref": "#/definitions/Local"}}`,
	})
	m, _ := set.Method("a")
	f, _ := set.File("f")
	d, _ := set.Definition("Outer")
	const dialect = `{"$schema":"http://json-schema.org/draft-07/schema#",`
	const inner = `"Inner":{"type":"string"}`
	const items = `"items":{"$ref":"#/definitions/Inner","description":"say \"$ref\": \"x\""}`
	tests := []struct {
		name   string
		schema *schemas.Schema
		want   string
	}{
		{"params", m.Params, `"z":1,"properties":{"b":{"$ref":"#/definitions/Outer"},"a":{}},"definitions":{` + inner + `,"Outer":{` + items + `}}}`},
		{"result", m.Result, `"type":"null"}`},
		{"file", f, `"title":"f","items":{"$ref":"#/definitions/Local"},"definitions":{"Local":{}}}`},
		{"definition", d, items + `,"definitions":{` + inner + `}}`},
	}
	for _, tt := range tests {
		if got := string(tt.schema.Bundled()); got != dialect+tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, dialect+tt.want)
		}
	}
}

var refInText = regexp.MustCompile(`"\$ref":"([^"]*)"`)

func TestBundlesAreSelfContained(t *testing.T) {
	t.Parallel()
	for name, schema := range everySchema(t) {
		var decoded map[string]any
		if err := json.Unmarshal(schema.Bundled(), &decoded); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(decoded, schema.Tree()) {
			t.Errorf("%s: Tree() is not Bundled() decoded", name)
		}
		definitions, _ := decoded["definitions"].(map[string]any)
		for _, ref := range refInText.FindAllSubmatch(schema.Bundled(), -1) {
			target, ok := bytes.CutPrefix(ref[1], []byte("#/definitions/"))
			if _, there := definitions[string(target)]; !ok || !there {
				t.Errorf("%s: $ref %q leads out of the bundle", name, ref[1])
			}
		}
	}
}

func TestBundledIsDeterministic(t *testing.T) {
	t.Parallel()
	for range 5 {
		set, err := schemas.Load(documents(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range set.Methods() {
			again, _ := set.Method(name)
			if !bytes.Equal(again.Result.Bundled(), method(t, name).Result.Bundled()) {
				t.Errorf("%s: the result is bundled in another way the second time", name)
			}
		}
	}
}

// TestValidateLeavesTheTreeAlone checks that validating does not modify the shared tree,
// although the library rewrites the references of what it compiles.
func TestValidateLeavesTheTreeAlone(t *testing.T) {
	t.Parallel()
	set, err := schemas.Load(documents(t))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := set.Method("instructions/list")
	before, _ := json.Marshal(m.Result.Tree())
	if _, err := m.Result.Validate([]byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(m.Result.Tree()); !bytes.Equal(before, after) {
		t.Error("Validate changed Tree()")
	}
}
