package rpctest

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// Call calls a method within the process. It returns the result, or the data of the
// error, as JSON.
func Call(t testing.TB, registry *rpc.Registry, method, params string) string {
	t.Helper()
	result, failure := registry.Call(context.Background(), method, json.RawMessage(params))
	if failure == nil {
		return string(result.Bytes())
	}
	data, err := rpc.Encode(failure.Data)
	if err != nil {
		t.Fatal(err)
	}
	return string(data.Bytes())
}

// HoldExample reports a test error unless got equals the result of the contract's
// example byte for byte, apart from white space in the example, and fits the schema of
// the method's result.
func HoldExample(t testing.TB, m *rpc.Method, example schemas.Example, got string) {
	t.Helper()
	if want := Compact(t, example.Result); got != want {
		t.Errorf("got\n%s\nthe contract says\n%s", got, want)
	}
	if issues, err := m.Schema().Result.Validate([]byte(got)); err != nil || len(issues) > 0 {
		t.Errorf("the result does not match its schema: %v %v", issues, err)
	}
}

// Compact returns JSON without insignificant white space.
func Compact(t testing.TB, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
