package rpc

import "context"

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
