package main

import (
	"encoding/json"
	"testing"
)

func parseSchema(t *testing.T, text string) *schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestTypes(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, name, cell string }{
		{`{"type":"integer","minimum":1,"maximum":10000}`, "integer", "`integer`, 1 to 10,000"},
		{`{"type":"integer","minimum":0}`, "integer", "`integer`"},
		{`{"type":"string","minLength":1}`, "string", "`string`, not empty"},
		{`{"type":"boolean","default":false}`, "boolean", "`boolean`, default false"},
		{`{"type":"boolean","const":true}`, "true", "`true`"},
		{`{"type":"string","enum":["a","b"]}`, `"a" | "b"`, "`\"a\" | \"b\"`"},
		{`{"$ref":"#/definitions/Id","description":"d"}`, "Id", "[`Id`](#id)"},
		{`{"type":"array","items":{"$ref":"#/definitions/Id"},"maxItems":5}`, "Id[]", "array of [`Id`](#id), at most 5 elements"},
		{`{"type":"array","items":{"anyOf":[{"$ref":"#/definitions/A"},{"$ref":"#/definitions/B"}]}}`,
			"(A | B)[]", "array of [`A`](#a) or [`B`](#b)"},
		{`{"type":"array"}`, "array", "`array`"},
		{`{"type":"object","required":["z"],"properties":{"z":{"type":"string"},"a":{"type":"number"}}}`,
			"{z: string, a?: number}", "object"},
	}
	for _, tt := range tests {
		s := parseSchema(t, tt.schema)
		if got := s.typeName(); got != tt.name {
			t.Errorf("%s: name %q, want %q", tt.schema, got, tt.name)
		}
		if got := s.typeCell(); got != tt.cell {
			t.Errorf("%s: cell %q, want %q", tt.schema, got, tt.cell)
		}
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	none := parseSchema(t, `{"type":"object","properties":{}}`)
	params := parseSchema(t, `{"properties":{"id":{"type":"string"}},"required":["id"]}`)
	result := parseSchema(t, `{"oneOf":[
		{"required":["hash"],"properties":{"hash":{"type":"string"},"next":{"type":"string"}}},
		{"required":["notFound"],"properties":{"notFound":{"const":true}}}]}`)
	if got, want := signature("a/b", params, result), "a/b({id: string}) → {hash, next?} | {notFound}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := signature("a/b", none, params), "a/b() → {id}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
