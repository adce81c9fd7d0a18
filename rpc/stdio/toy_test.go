package stdio

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// toy is a registry of methods that each misbehave in one way.
type toy struct {
	registry *rpc.Registry
	release  chan struct{} // lets test/slow return
	protocol rpc.Protocol
	count    atomic.Int64
	onEcho   func(context.Context) // called by test/echo; nil for nothing
}

type echo struct {
	Text string `json:"text"`
}

type nothing struct{}

type number struct {
	N rpc.Integer `json:"n"`
}

func newToy(t testing.TB) *toy {
	t.Helper()
	contract, err := schemas.Load(fstest.MapFS{
		"test.echo.json":  document("test/echo", "text", "string", "text", "string"),
		"test.slow.json":  document("test/slow", "text", "string", "text", "string"),
		"test.panic.json": document("test/panic", "", "", "text", "string"),
		"test.fail.json":  document("test/fail", "", "", "text", "string"),
		"test.large.json": document("test/large", "n", "integer", "text", "string"),
		"test.count.json": document("test/count", "", "", "n", "integer"),
		"test.wait.json":  document("test/wait", "", "", "text", "string"),
		"test.turn.json":  document("test/turn", "n", "integer", "n", "integer"),
	})
	if err != nil {
		t.Fatal(err)
	}
	y := &toy{release: make(chan struct{})}
	y.registry = rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := y.registry.Add(rpc.Toolset{Name: "test", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: y.methods()}); err != nil {
		t.Fatal(err)
	}
	return y
}

func document(title, param, paramType, member, memberType string) *fstest.MapFile {
	params := ""
	if param != "" {
		params = fmt.Sprintf(`"%s": {"type": %q, "description": "p"}`, param, paramType)
	}
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{
		"$schema": "http://json-schema.org/draft-07/schema#",
		"$id": "catalog:///v1/%s.json", "title": %q, "description": "d", "type": "object",
		"required": ["params", "result"],
		"properties": {
			"params": {"type": "object", "description": "p", "additionalProperties": false, "properties": {%s}},
			"result": {"type": "object", "description": "r", "additionalProperties": false,
				"properties": {"%s": {"type": %q, "description": "m"}}}
		}}`, strings.ReplaceAll(title, "/", "."), title, params, member, memberType)}
}

func (y *toy) methods() []rpc.Method {
	return []rpc.Method{
		declare("test/echo", rpc.Inline, func(ctx context.Context, p echo) (echo, error) {
			if y.onEcho != nil {
				y.onEcho(ctx)
			}
			return p, nil
		}),
		declare("test/slow", rpc.Concurrent, func(_ context.Context, p echo) (echo, error) { <-y.release; return p, nil }),
		declare("test/wait", rpc.Ordered, func(ctx context.Context, _ nothing) (echo, error) {
			<-ctx.Done()
			return echo{}, ctx.Err()
		}),
		declare("test/turn", rpc.Ordered, func(_ context.Context, p number) (number, error) {
			if p.N%2 == 0 {
				time.Sleep(time.Millisecond) // so that the next one would overtake it
			}
			return p, nil
		}),
		declare("test/panic", rpc.Inline, func(context.Context, nothing) (echo, error) { panic("secret") }),
		declare("test/fail", rpc.Inline, func(context.Context, nothing) (echo, error) { return echo{}, io.ErrClosedPipe }),
		declare("test/large", rpc.Inline, func(_ context.Context, p number) (echo, error) {
			return echo{strings.Repeat("x", int(p.N))}, nil
		}),
		declare("test/count", rpc.Inline, func(context.Context, nothing) (number, error) { return number{rpc.Integer(y.count.Add(1))}, nil }),
	}
}

func declare[P, R any](name string, lane rpc.Lane, handle func(context.Context, P) (R, error)) rpc.Method {
	return rpc.Declare(rpc.Method{
		Name: name, Title: "t", Summary: "s", Doc: "d", Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Lane: lane,
	}, handle, nil)
}

func (y *toy) server() *Server {
	return &Server{Registry: y.registry, Protocol: y.protocol, Log: slog.New(slog.DiscardHandler), MaxLine: DefaultMaxLine, Grace: time.Minute}
}

// serve returns what the server answers to the input, which then ends.
func (y *toy) serve(t testing.TB, input string) string {
	t.Helper()
	var out strings.Builder
	if err := y.server().Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	return out.String()
}
