package rpc

import (
	"context"
)

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
	// User is the authenticated user, "" where nobody was authenticated: the
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

// Connection is the connection of one client, for as long as it lasts. A handler can
// use it to notify the client later.
type Connection struct {
	ctx    context.Context
	notify func(context.Context, JSON)
}

// NewConnection returns a connection that is there until ctx ends. Notify sends the
// client a message, unless the context that it gets ends before, and returns when it
// is written, or never will be. It may be called by any goroutine.
func NewConnection(ctx context.Context, notify func(context.Context, JSON)) *Connection {
	return &Connection{ctx: ctx, notify: notify}
}

// Context ends when the client is gone.
func (c *Connection) Context() context.Context { return c.ctx }

// Notify sends the client a notification, and returns when it is written: or never
// will be, since ctx has ended before that was possible. It does
// not come between a call in the lane [Inline] and its answer: what such a call is
// answered after it was found after it. So the handler of such a call
// must not wait for it.
func (c *Connection) Notify(ctx context.Context, method string, params any) error {
	encoded, err := Encode(params)
	if err != nil {
		return err
	}
	name, err := Encode(method)
	if err != nil {
		return err
	}
	line := append(JSON{[]byte(`{"jsonrpc":"2.0","method":`)}, name...)
	line = append(append(line, []byte(`,"params":`)), encoded...)
	c.notify(ctx, append(line, []byte("}")))
	return nil
}

type connectionKey struct{}

// WithConnection returns a context whose calls come over c.
func WithConnection(ctx context.Context, c *Connection) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// ConnectionOf returns the connection from the context of a call, or nil if each call
// comes by itself, or over a protocol that notifies its clients in its own way.
func ConnectionOf(ctx context.Context) *Connection {
	c, _ := ctx.Value(connectionKey{}).(*Connection)
	return c
}
