package rpc

import (
	"context"
	"encoding/json"
)

// Protocol answers the messages of an additional protocol on a connection that also
// accepts JSON-RPC calls of the methods.
type Protocol interface {
	// Claims reports whether messages with this method belong to the protocol.
	Claims(method string) bool
	// Bare adapts a call of a method that does not belong to the protocol, because the
	// client may speak the protocol anyway. It returns the params without the members
	// that clients of the protocol add to every request, and a function that makes the
	// result acceptable to such a client.
	Bare(params json.RawMessage) (json.RawMessage, func(JSON) JSON)
	// Cancels returns the id of the request that a notification cancels, as the client
	// wrote it. It returns nil for any other notification.
	Cancels(Message) json.RawMessage
	// Open begins a session with one client. The session takes only the [Caller] from
	// ctx; it does not end when ctx is done. send sends the client a notification. The
	// session may call send from any goroutine until it is closed.
	Open(ctx context.Context, send func(JSON)) (Session, error)
}

// Session is a session of one client in a [Protocol]. Its methods must be called one at a
// time, but the Wait functions of pending calls may run concurrently with them.
type Session interface {
	// Start starts the call of a message that has an id, and returns without waiting for
	// the answer. Calls begin in the order in which Start is called, except that an
	// [Ordered] or [Yielding] call begins when PendingCall.Wait is called. Start takes
	// the call's [Reservation] from ctx.
	Start(ctx context.Context, m Message) PendingCall
	// Notify handles a message that has no id. It does not wait until the message has
	// taken effect.
	Notify(Message)
	// Release ends the calls in the lane [Open], whose Wait then returns their answers.
	Release()
	// Close ends the session. All calls must have ended.
	Close()
}

// PendingCall is a call that has not been answered yet.
type PendingCall struct {
	Lane    Lane
	Toolset *Toolset // the toolset within which calls are ordered, if Lane is [Ordered]
	Reads   bool     // the call only reads
	// Wait waits for the answer until ctx is done. silent is true if the client
	// cancelled the call and must get no answer.
	Wait func(ctx context.Context) (result JSON, failure *Error, silent bool)
}
