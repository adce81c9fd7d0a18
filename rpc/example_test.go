package rpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

const addDocument = `{
	"$schema": "http://json-schema.org/draft-07/schema#", "$id": "catalog:///sums/v1/sums.add.json",
	"title": "sums/add", "description": "Adds.", "type": "object", "required": ["params", "result"],
	"properties": {
		"params": {"type": "object", "additionalProperties": false, "required": ["numbers"], "properties": {
			"numbers": {"type": "array", "items": {"type": "integer"}, "description": "What to add."}}},
		"result": {"type": "integer", "description": "The sum."}}
}`

type addParams struct {
	Numbers []int64 `json:"numbers"`
}

// A method is declared once, with a handler of typed params and result. The
// registry checks the declaration against the contract, and every call.
func ExampleRegistry() {
	contract, err := schemas.Load(fstest.MapFS{"sums.add.json": {Data: []byte(addDocument)}})
	if err != nil {
		panic(err)
	}
	add := rpc.Declare(rpc.Method{
		Name: "sums/add", Title: "Add numbers", Summary: "Adds numbers.", Doc: "The sum of none is 0.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(_ context.Context, p addParams) (sum int64, _ error) {
		for _, n := range p.Numbers {
			sum += n
		}
		return sum, nil
	}, func(p addParams, sum int64) string {
		return fmt.Sprintf("The %d numbers add up to %d.", len(p.Numbers), sum)
	})

	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	err = registry.Add(rpc.Toolset{
		Name: "sums", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: []rpc.Method{add},
	})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	result, _ := registry.Call(ctx, "sums/add", json.RawMessage(`{"numbers":[1,2,3]}`))
	fmt.Printf("%s\n", result.Bytes())

	_, failure := registry.Call(ctx, "sums/add", json.RawMessage(`{"numbers":"1"}`))
	fmt.Println(failure)

	m, _ := registry.Method("sums/add")
	answer, _ := registry.CallTool(ctx, m, json.RawMessage(`{"numbers":[4,5]}`))
	fmt.Println(m.ToolName(), "tells a model:", answer.Text)
	// Output:
	// 6
	// invalid params: numbers: must be an array, not a string (-32602)
	// sums_add tells a model: The 2 numbers add up to 9.
}

// A toolset tells its callers what went wrong in the form that its specification
// asks for; the kind of an error decides the code.
func ExampleNewError() {
	err := rpc.NewError(rpc.NotFound, "there is no task 7", map[string]any{"error": "there is no task 7", "task_id": 7})
	encoded, _ := rpc.Encode(err)
	fmt.Printf("%s\n", encoded.Bytes())
	// Output: {"code":-32001,"message":"there is no task 7","data":{"error":"there is no task 7","task_id":7}}
}
