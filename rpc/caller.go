package rpc

import "context"

// Transport is how calls reach the server.
type Transport string

// The transports.
const (
	Bare      Transport = "json-rpc" // the methods themselves, on a pipe
	MCP       Transport = "mcp"      // over the same pipe
	MCPHTTP   Transport = "mcp-http" // over HTTP
	InProcess Transport = ""         // a call within the process, such as that of a command
)

// Caller is the origin of a call. The protocol puts it into the context of the call;
// no param can change it.
type Caller struct {
	// User is the authenticated user, "" without authentication: the
	// name of the token that a request over HTTP carried, or of the user that
	// the server was started for.
	User string
	Via  Transport
}

type callerKey struct{}

// WithCaller returns a context whose calls come from c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller from the context of a call: the zero Caller for a call
// within the process.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
