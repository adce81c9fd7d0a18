package mcp

//lint:file-ignore SA1019 logging is deprecated with 2026-07-28 and belongs to the versions before it

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// Logging belongs to the versions with sessions: a client there may ask for
// what goes wrong.

func addLogging(c *mcp.ServerCapabilities)    { c.Logging = &mcp.LoggingCapabilities{} }
func removeLogging(c *mcp.ServerCapabilities) { c.Logging = nil }

// logFailure tells a client that asked for logs about a failure inside the
// server. It is of the versions with sessions.
func (s *Server) logFailure(ctx context.Context, req *mcp.CallToolRequest, m *rpc.Method, failure *rpc.Error) {
	if failure.Code != rpc.InternalError || req.ProtocolVersion() >= stateless {
		return
	}
	_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{
		Level: "error", Logger: s.config.Name,
		Data: map[string]string{"tool": toolName(m.Name), "message": advice(m, failure)},
	})
}

// quiet lets only what went wrong through: the SDK tells of every session and
// subscription.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}
