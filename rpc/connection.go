package rpc

import "context"

// Connection is the connection of one client. A handler can keep it and use it to notify
// the client later.
type Connection struct {
	ctx    context.Context
	notify func(context.Context, JSON)
}

// NewConnection returns a connection that lasts until ctx is done. notify sends the
// client a message and returns once the message is written or dropped. It drops the
// message if the context passed to it is done first. notify must be safe for concurrent
// use.
func NewConnection(ctx context.Context, notify func(context.Context, JSON)) *Connection {
	return &Connection{ctx: ctx, notify: notify}
}

// Context returns a context that is done when the client has disconnected.
func (c *Connection) Context() context.Context { return c.ctx }

// Notify sends the client a notification and returns once it is written or dropped. It
// is dropped if ctx is done before it can be written. It is never written between a call
// in the lane [Inline] and the answer to that call, so an answer that follows a
// notification is also newer. The handler of an [Inline] call must therefore not wait for
// Notify: both would block. The error means that params cannot be encoded.
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

// ConnectionOf returns the connection from the context of a call. It returns nil if the
// transport has no connection, or notifies its clients in its own way.
func ConnectionOf(ctx context.Context) *Connection {
	c, _ := ctx.Value(connectionKey{}).(*Connection)
	return c
}
