package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

const greetDocument = `{
	"$schema": "http://json-schema.org/draft-07/schema#", "$id": "catalog:///v1/greet.json",
	"title": "greet", "description": "d", "type": "object", "required": ["params", "result"],
	"properties": {
		"params": {"type": "object", "description": "p", "additionalProperties": false, "required": ["name"],
			"properties": {"name": {"type": "string", "description": "n"}}},
		"result": {"oneOf": [
			{"type": "object", "description": "r", "properties": {"greeting": {"type": "string", "description": "g"}}},
			{"type": "object", "description": "r", "properties": {"to": {"$ref": "#/definitions/Person"}}}]}},
	"definitions": {"Person": {"type": "object", "description": "p", "properties": {"age": {"type": "integer", "description": "a"}}}}
}`

type greetParams struct {
	Name string `json:"name"`
}

type person struct {
	Age int `json:"age"`
}

type greetResult struct {
	Greeting string  `json:"greeting,omitempty"`
	To       *person `json:"to,omitempty"`
}

func contract(t testing.TB) *schemas.Set {
	t.Helper()
	set, err := schemas.Load(fstest.MapFS{"greet.json": {Data: []byte(greetDocument)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func newRegistry(t testing.TB, now func() time.Time) *rpc.Registry {
	t.Helper()
	return rpc.NewRegistry(slog.New(slog.DiscardHandler), now)
}

func toolset(t testing.TB, methods ...rpc.Method) rpc.Toolset {
	t.Helper()
	return rpc.Toolset{Name: "test", Contract: rpc.Contract{Version: "1.0", Schemas: contract(t)}, Methods: methods}
}

func complete() rpc.Method {
	return rpc.Method{Name: "greet", Title: "t", Summary: "s", Doc: "d", Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads}
}

func greet(_ context.Context, p greetParams) (greetResult, error) {
	return greetResult{Greeting: "hello <" + p.Name + ">"}, nil
}

func TestDeclarationsThatAreRefused(t *testing.T) {
	t.Parallel()
	declared := func(change func(*rpc.Method)) rpc.Method {
		m := complete()
		change(&m)
		return rpc.Declare(m, greet, nil)
	}
	type extra struct {
		greetResult
		More string `json:"more"`
	}
	type other struct {
		Name string `json:"name,omitempty"`
	}
	type twice struct {
		Greeting string `json:"greeting"`
		To       *other `json:"to"`
	}
	type wrongType struct {
		Greeting int    `json:"greeting"`
		To       person `json:"to"`
	}
	tests := map[string]struct {
		method rpc.Method
		want   string
	}{
		"no title":         {declared(func(m *rpc.Method) { m.Title = "" }), "needs a name, a title, a summary"},
		"no summary":       {declared(func(m *rpc.Method) { m.Summary = "" }), "needs a name, a title, a summary"},
		"no documentation": {declared(func(m *rpc.Method) { m.Doc = "" }), "needs a name, a title, a summary"},
		"no version":       {declared(func(m *rpc.Method) { m.Since = "" }), "needs a name, a title, a summary"},
		"no effect":        {declared(func(m *rpc.Method) { m.Effect = 0 }), "needs an effect"},
		"unknown effect":   {declared(func(m *rpc.Method) { m.Effect = 9 }), "needs an effect"},
		"no stability":     {declared(func(m *rpc.Method) { m.Stability = "" }), "needs a stability"},
		"no schema":        {declared(func(m *rpc.Method) { m.Name = "leave" }), "has no schema"},
		"no handler":       {complete(), "needs a handler"},
		"params differ": {rpc.Declare(complete(), func(context.Context, struct{}) (greetResult, error) { return greetResult{}, nil }, nil),
			"params.name is in the schema and not in the Go type"},
		"result differs": {rpc.Declare(complete(), func(context.Context, greetParams) (extra, error) { return extra{}, nil }, nil),
			"result.more is in the Go type rpc_test.extra and not in the schema"},
		"second place differs": {rpc.Declare(complete(), func(context.Context, greetParams) (twice, error) { return twice{}, nil }, nil),
			"result.to.age is in the schema and not in the Go type"},
		"type differs": {rpc.Declare(complete(), func(context.Context, greetParams) (wrongType, error) { return wrongType{}, nil }, nil),
			"result.greeting is integer in Go and something else in the schema"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegistry(t, time.Now)
			err := errors.Join(r.Add(toolset(t, test.method)), r.Conforms())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if err := newRegistry(t, time.Now).Add(toolset(t, rpc.Declare(complete(), greet, nil), rpc.Declare(complete(), greet, nil))); err == nil ||
		!strings.Contains(err.Error(), "declared twice") {
		t.Errorf("twice: %v", err)
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, time.Now)
	if err := r.Add(toolset(t, rpc.Declare(complete(), greet, nil))); err != nil {
		t.Fatal(err)
	}
	result, failure := r.Call(t.Context(), "greet", json.RawMessage(`{"name":"Ann & Bob"}`))
	if failure != nil || string(result.Bytes()) != `{"greeting":"hello <Ann & Bob>"}` {
		t.Errorf("got %s, %v", result.Bytes(), failure)
	}
	for params, want := range map[string]string{
		"":                        `{"code":-32602,"message":"invalid params: name: is required","data":{"issues":[{"path":"name","message":"is required"}]}}`,
		"null":                    `{"code":-32602,"message":"invalid params: name: is required","data":{"issues":[{"path":"name","message":"is required"}]}}`,
		`{"name":"a","Name":"b"}`: `"path":"Name"`,
	} {
		_, failure := r.Call(t.Context(), "greet", json.RawMessage(params))
		if got, _ := json.Marshal(failure); !strings.Contains(string(got), want) {
			t.Errorf("params %q: got %s, want %s", params, got, want)
		}
	}
	if _, failure := r.Call(t.Context(), strings.Repeat("é", 500), nil); failure.Code != rpc.MethodNotFound || len(failure.Message) > 300 {
		t.Errorf("got %v", failure)
	}
}

type pieces string

func (p pieces) EncodeJSON() rpc.JSON { return rpc.JSON{[]byte(`"`), []byte(p), []byte(`"`)} }

// TestObject: parts that encode themselves stand among the others.
func TestObject(t *testing.T) {
	t.Parallel()
	var o rpc.Object
	if got := string(o.JSON().Bytes()); got != "{}" {
		t.Errorf("without members: %s", got)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		o.Add(name, map[string]any{"a": 1, "b": pieces("x"), "c": pieces("y"), "d": "<&>"}[name])
	}
	if got := string(o.JSON().Bytes()); got != `{"a":1,"b":"x","c":"y","d":"<&>"}` {
		t.Errorf("got %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("what cannot be encoded is left out")
		}
	}()
	o.Add("e", func() {})
}

// BenchmarkDispatch is what a small call costs before and after its handler:
// finding the method, checking its params against the schema, decoding them,
// encoding a small result, counting.
func BenchmarkDispatch(b *testing.B) {
	r := newRegistry(b, time.Now)
	if err := r.Add(toolset(b, rpc.Declare(complete(), func(context.Context, greetParams) (greetResult, error) { return greetResult{}, nil }, nil))); err != nil {
		b.Fatal(err)
	}
	params := json.RawMessage(`{"name":"a name of the usual length"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, failure := r.Call(b.Context(), "greet", params); failure != nil {
			b.Fatal(failure)
		}
	}
}
