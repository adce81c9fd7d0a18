package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

const schemaDocument = `{
	"$schema": "http://json-schema.org/draft-07/schema#", "$id": "catalog:///v1/test.schema.json",
	"title": "test/schema", "description": "d", "type": "object", "required": ["params", "result"],
	"definitions": {
		"Kind": {"description": "A kind.", "type": "string", "enum": ["a", "b"]},
		"Many": {"description": "Many.", "type": "string", "enum": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]},
		"Part": {"description": "A part.", "type": "object", "properties": {"deep": {"type": "string"}}}
	},
	"properties": {
		"params": {"description": "All.", "type": "object", "required": ["kind"], "additionalProperties": false, "properties": {
			"kind": {"$ref": "#/definitions/Kind", "description": "Which kind."},
			"many": {"$ref": "#/definitions/Many"},
			"description": {"type": "string", "description": "A member with the name of a keyword.", "minLength": 1},
			"limit": {"description": "Most. Left out: all.", "type": "integer", "minimum": 1, "maximum": 9},
			"trace": {"description": "For programs.", "type": "string"}
		}},
		"result": {"description": "What.", "type": "object", "required": ["parts"], "properties": {
			"parts": {"description": "p", "type": "array", "items": {"anyOf": [{"$ref": "#/definitions/Part"}, {"type": "object"}]}},
			"title": {"$ref": "#/definitions/Many"},
			"trace": {"description": "For programs.", "type": "string"}
		}}
	}}`

type schemaParams struct {
	Kind        string      `json:"kind"`
	Many        string      `json:"many"`
	Description string      `json:"description"`
	Limit       rpc.Integer `json:"limit"`
	Trace       string      `json:"trace"`
}

type schemaPart struct {
	Deep string `json:"deep"`
}

type schemaResult struct {
	Parts []schemaPart `json:"parts"`
	Title string       `json:"title"`
	Trace string       `json:"trace"`
}

// TestSchemas: what an agent is shown of the contract.
func TestSchemas(t *testing.T) {
	t.Parallel()
	contract, err := schemas.Load(fstest.MapFS{"test.schema.json": &fstest.MapFile{Data: []byte(schemaDocument)}})
	if err != nil {
		t.Fatal(err)
	}
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	tool := rpc.Tool{Defaults: json.RawMessage(`{"limit":5}`), Unshown: []string{"trace"}}
	method := declare("test/schema", rpc.Reads, rpc.Inline, tool,
		func(context.Context, schemaParams) (schemaResult, error) { return schemaResult{}, nil }, nil)
	err = registry.Add(rpc.Toolset{Name: "test", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: []rpc.Method{method}})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := registry.Method("test/schema")
	for _, tt := range []struct{ name, got, want string }{
		{"input", string(inputSchema(m)), `{"additionalProperties":false,"properties":{` +
			`"description":{"description":"A member with the name of a keyword.","type":"string"},` +
			`"kind":{"description":"Which kind.","enum":["a","b"],"type":"string"},` +
			`"limit":{"default":5,"description":"Most.","maximum":9,"minimum":1,"type":"integer"},` +
			`"many":{"description":"Many.","type":"string"}},"required":["kind"],"type":"object"}`},
		{"output", string(outputSchema(m)), `{"properties":{"parts":{"items":{"type":"object"},"type":"array"},` +
			`"title":{"type":"string"}},"required":["parts"],"type":"object"}`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s is\n%s\nwant\n%s", tt.name, tt.got, tt.want)
		}
	}
}
