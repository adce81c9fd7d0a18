package mcp

import (
	"context"
	"runtime/debug"
	"time"

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
		}
		result, err := next(ctx, method, req)
		if d, ok := result.(*mcp.DiscoverResult); ok && err == nil {
			removeLogging(d.Capabilities)
		}
		return result, err
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
