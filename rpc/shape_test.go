package rpc_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
)

// TestShapes checks that every failure is converted with Toolset.Errors, and that a panic there
// is recovered.
func TestShapes(t *testing.T) {
	t.Parallel()
	shout := func(_ context.Context, method string, failure *rpc.Error) *rpc.Error {
		if strings.HasPrefix(failure.Message, "panic in the shape") {
			panic("secret")
		}
		return rpc.NewError(rpc.Unavailable, method+": "+failure.Message, nil)
	}
	shaped := toolset(t, rpc.Declare(complete(), func(_ context.Context, p greetParams) (greetResult, error) {
		switch p.Name {
		case "panic":
			panic("secret")
		case "conflict":
			return greetResult{}, rpc.NewError(rpc.Conflict, "taken", nil)
		}
		return greetResult{}, rpc.NewError(rpc.Internal, p.Name, nil)
	}, nil))
	shaped.Errors = shout
	r := newRegistry(t, time.Now)
	if err := r.Add(shaped); err != nil {
		t.Fatal(err)
	}
	m, _ := r.Method("greet")
	for params, want := range map[string]string{
		`{"name":"panic"}`:              "greet: internal error",
		`{"name":"conflict"}`:           "greet: taken",
		`{}`:                            "greet: invalid params: name: is required",
		`{"name":"panic in the shape"}`: "internal error",
	} {
		_, failure := r.Call(t.Context(), "greet", json.RawMessage(params))
		_, asAgent := r.CallTool(t.Context(), m, json.RawMessage(params))
		if failure == nil || failure.Message != want || asAgent == nil || asAgent.Message != want {
			t.Errorf("%s: got %v, and as an agent %v, want %s", params, failure, asAgent, want)
		}
	}
}

// TestCallerInProcess checks that a call within the process has a user only if its context has
// one.
func TestCallerInProcess(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, time.Now)
	if err := r.Add((&rpctest.Things{}).Toolset()); err != nil {
		t.Fatal(err)
	}
	for user, ctx := range map[string]context.Context{"": t.Context(), "ann": rpc.WithCaller(t.Context(), rpc.Caller{User: "ann"})} {
		result, failure := r.Call(ctx, "things/who_calls", nil)
		if want := `{"user":"` + user + `","via":""}`; failure != nil || string(result.Bytes()) != want {
			t.Errorf("got %s, %v, want %s", result.Bytes(), failure, want)
		}
	}
}

// TestDepth checks that params nested too deep are rejected before they are decoded, even if the
// method checks its params itself.
func TestDepth(t *testing.T) {
	t.Parallel()
	own := complete()
	own.ChecksParams = true
	r := newRegistry(t, time.Now)
	if err := r.Add(toolset(t, rpc.Declare(own, func(context.Context, json.RawMessage) (greetResult, error) {
		return greetResult{Greeting: "hello"}, nil
	}, nil))); err != nil {
		t.Fatal(err)
	}
	for depth, refused := range map[int]bool{rpc.MaxDepth: false, rpc.MaxDepth + 1: true, 1_000_000: true} {
		params := json.RawMessage(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		_, failure := r.Call(t.Context(), "greet", params)
		if (failure != nil) != refused || refused && failure.Code != rpc.InvalidParams {
			t.Errorf("%d levels: %v", depth, failure)
		}
	}
}
