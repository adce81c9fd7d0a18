package mcp

//lint:file-ignore SA1019 logging is deprecated with 2026-07-28 and belongs to the versions before it

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// Only protocol versions with sessions have logging: a client may request log messages
// about errors.

func addLogging(c *mcp.ServerCapabilities)    { c.Logging = &mcp.LoggingCapabilities{} }
func removeLogging(c *mcp.ServerCapabilities) { c.Logging = nil }

// levels are the log levels of MCP, which are those of RFC 5424.
var levels = []mcp.LoggingLevel{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// checkLevel returns an error for an unknown log level. The SDK would accept it.
func checkLevel(req mcp.Request) error {
	if p, ok := req.GetParams().(*mcp.SetLoggingLevelParams); ok && p != nil && slices.Contains(levels, p.Level) {
		return nil
	}
	return wireError(rpc.BadParam("level", fmt.Sprintf("must be one of %v", levels)))
}

// logFailure sends a log message about a failure inside the server to a client that
// requested logs. It does nothing in protocol versions without sessions.
func (s *Server) logFailure(ctx context.Context, req *mcp.CallToolRequest, m *rpc.Method, failure *rpc.Error) {
	_, ours := failure.Data.(rpc.Failure)
	if !ours && failure.Code != rpc.InternalError || req.ProtocolVersion() >= stateless {
		return
	}
	_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{
		Level: "error", Logger: s.config.Name,
		Data: map[string]string{"tool": m.ToolName(), "message": advice(m, failure)},
	})
}

// quiet is a log handler for the SDK. It drops records below warning, because the SDK logs
// every session and subscription. It logs the rest as warnings, because errors that the SDK
// logs are errors of clients. Errors of the server are logged where they occur.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelWarn
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }
func (q quiet) WithGroup(name string) slog.Handler       { return quiet{q.Handler.WithGroup(name)} }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}
