package rpc

import "context"

// Transport identifies how a call reaches the server.
type Transport string

// The transports.
const (
	Bare      Transport = "json-rpc" // JSON-RPC calls of the methods, over a pipe
	MCP       Transport = "mcp"      // MCP over the same pipe
	MCPHTTP   Transport = "mcp-http" // MCP over HTTP
	InProcess Transport = ""         // a call within the process, for example by a command
)

// Caller is the origin of a call. The protocol puts it into the context of the call.
// Params cannot change it.
type Caller struct {
	// User is the authenticated user, or "" without authentication. For a request over
	// HTTP it is the name of its token; on a pipe it is the user that the server was
	// started for.
	User string
	Via  Transport
}

type callerKey struct{}

// WithCaller returns a context whose calls come from c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller from the context of a call. It returns the zero Caller for
// a call within the process.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
