package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// stateless is the first protocol version without sessions.
const stateless = "2026-07-28"

// guard recovers from a panic, which would otherwise end the process. It logs the panic and
// returns an error.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.config.Log.Error("mcp request panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
				result, err = nil, wireError(rpc.Failed("the request failed inside the server; its log has the details"))
			}
		}()
		return next(ctx, method, req)
	}
}

// identify puts the caller, the reservation, the yield function and the deadline of a
// request into its context. They are specific to the request, even within a session.
func identify(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		c := carriedBy(req)
		ctx = rpc.WithCaller(ctx, c.caller)
		if c.answers != nil {
			ctx = rpc.WithReservation(ctx, c.answers)
		}
		if c.yield != nil {
			ctx = rpc.WithYield(ctx, c.yield)
		}
		if !c.deadline.IsZero() {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, c.deadline)
			defer cancel()
		}
		return next(ctx, method, req)
	}
}

// recorded lists the requests that are counted and timed although they call no method of
// the registry.
var recorded = []string{
	"completion/complete", "prompts/get", "prompts/list", "resources/list", "resources/read", "resources/templates/list",
	"skills/get", "skills/list", "tools/list",
}

// record counts and times the requests in recorded.
func (s *Server) record(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !slices.Contains(recorded, method) {
			return next(ctx, method, req)
		}
		start := time.Now()
		result, err := next(ctx, method, req)
		s.config.Registry.Record(method, time.Since(start), err != nil)
		return result, err
	}
}

// adapt does what the SDK does not: it adds the tools before they are first used, checks
// log levels, lists resources, loads the toolsets before a subscription, and removes from
// results what the version of the client does not support.
func (s *Server) adapt(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/list", "tools/call":
			s.tools()
		case "logging/setLevel":
			if err := checkLevel(req); err != nil {
				return nil, err
			}
		case "resources/list":
			return s.listResources(ctx, req.(*mcp.ListResourcesRequest), next)
		case listen:
			s.library.load(ctx)
		}
		result, err := next(ctx, method, req)
		if d, ok := result.(*mcp.DiscoverResult); ok && err == nil {
			removeLogging(d.Capabilities)
		}
		return s.fitted(req, result), err
	}
}

// unstructured lists the protocol versions without output schemas and structured content. A
// client that requests an unknown version gets a newer version than these.
var unstructured = []string{"2024-11-05", "2025-03-26"}

// fitted removes from a result what the version of the client does not support. It logs the
// size of the first list of tools.
func (s *Server) fitted(req mcp.Request, result mcp.Result) mcp.Result {
	versioned, ok := req.(interface{ ProtocolVersion() string })
	old := ok && slices.Contains(unstructured, versioned.ProtocolVersion())
	switch r := result.(type) {
	case *mcp.ListToolsResult:
		if old && r != nil {
			list := *r
			list.Tools = withoutOutput(r.Tools)
			r, result = &list, &list
		}
		s.measure.Do(func() { s.logSize(r) })
	case *mcp.CallToolResult:
		if old && r != nil {
			r.StructuredContent = nil
		}
	}
	return result
}

// withoutOutput returns copies of tools without the schemas of their results.
func withoutOutput(tools []*mcp.Tool) []*mcp.Tool {
	lean := make([]*mcp.Tool, len(tools))
	for i, tool := range tools {
		one := *tool
		one.OutputSchema = nil
		lean[i] = &one
	}
	return lean
}

// logSize logs the size of a list of tools, which occupies an agent's context.
func (s *Server) logSize(list *mcp.ListToolsResult) {
	if text, err := json.Marshal(list); err == nil && list != nil {
		s.config.Log.Info("tools/list was answered", "tools", len(list.Tools), "bytes", len(text))
	}
}

// cacheable sets how long a client may cache an answer, and whether caches may share it
// between users. Answers about the program are the same for all clients while it runs. The
// list of prompts is one of them: its change notification means that the texts may have
// changed, and lets a client discard its copy early. Answers from the catalog are private.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	switch req.(type) {
	case *mcp.ListResourcesRequest, *mcp.ReadResourceRequest:
		c.TTLMs, c.CacheScope = int(rpc.FreshFor.Milliseconds()), "private"
	default:
		c.TTLMs, c.CacheScope = int(time.Hour.Milliseconds()), "public"
	}
}

// wireError converts an error to the SDK's type.
func wireError(e *rpc.Error) *jsonrpc.Error {
	wire := &jsonrpc.Error{Code: int64(e.Code), Message: e.Message}
	if e.Data != nil {
		wire.Data, _ = json.Marshal(e.Data) // data that cannot be encoded is omitted
	}
	return wire
}

// explain returns the error for the client in place of an error of the library. It converts
// an [rpc.Error], and logs any other error and hides its text.
func (s *Server) explain(method string, err error) error {
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return wireError(e)
	}
	s.config.Log.Error("mcp request failed", "method", method, "error", err)
	return wireError(rpc.Failed("the request failed inside the server; its log has the details"))
}
