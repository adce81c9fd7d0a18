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

// stateless is the first version of the protocol that has no sessions.
const stateless = "2026-07-28"

// guard keeps a panic from ending the process, as it would in the SDK.
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

// identify puts the caller of a request, its reservation and its deadline into the
// context. Every request has its own, also those of one session.
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

// recorded are the requests that call no method, and are counted and timed by
// themselves.
var recorded = []string{
	"completion/complete", "prompts/get", "prompts/list", "resources/list", "resources/read", "resources/templates/list",
	"skills/get", "skills/list", "tools/list",
}

// record counts and times requests.
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

// adapt adds to what the SDK answers by itself.
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

// unstructured are the revisions that know no schema of a result and no structured
// content. A client that asks for one that no server speaks gets a newer one.
var unstructured = []string{"2024-11-05", "2025-03-26"}

// fitted returns a result without what the revision of the client does not know.
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

// logSize says how much of an agent's context the tools take.
func (s *Server) logSize(list *mcp.ListToolsResult) {
	if text, err := json.Marshal(list); err == nil && list != nil {
		s.config.Log.Info("tools/list was answered", "tools", len(list.Tools), "bytes", len(text))
	}
}

// cacheable says how long a client may keep an answer, and whether it may share
// it. What the program offers is the same for everybody as long as it runs;
// what the catalog holds is not for others to see.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	switch req.(type) {
	case *mcp.ListResourcesRequest, *mcp.ReadResourceRequest:
		c.TTLMs, c.CacheScope = int(rpc.FreshFor.Milliseconds()), "private"
	default:
		c.TTLMs, c.CacheScope = int(time.Hour.Milliseconds()), "public"
	}
}

// wireError returns our error as the SDK's.
func wireError(e *rpc.Error) *jsonrpc.Error {
	wire := &jsonrpc.Error{Code: int64(e.Code), Message: e.Message}
	if e.Data != nil {
		wire.Data, _ = json.Marshal(e.Data) // what cannot be encoded is left out
	}
	return wire
}

// explain returns what to tell the client about an error of the library. Only
// an [rpc.Error] is meant for it.
func (s *Server) explain(method string, err error) error {
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return wireError(e)
	}
	s.config.Log.Error("mcp request failed", "method", method, "error", err)
	return wireError(rpc.Failed("the request failed inside the server; its log has the details"))
}
