package rpc

import (
	"context"
	"encoding/json"
)

// Protocol answers the messages of a protocol that is spoken beside the bare
// methods, on the same connection.
type Protocol interface {
	// Claims reports whether messages with this method are the protocol's.
	Claims(method string) bool
	// Bare returns the params of a method that is not the protocol's without
	// what its clients add to every request, and what makes the result one that
	// such a client accepts.
	Bare(params json.RawMessage) (json.RawMessage, func(JSON) JSON)
	// Cancels returns the id of the request that a notification cancels, as the
	// client wrote it; nil for a notification that says something else.
	Cancels(Message) json.RawMessage
	// Open begins a session with one client, whose calls are the caller's of ctx,
	// in which nothing ends. Send sends the client a message
	// that it did not ask for; it may be called at any time until the session
	// is closed, by any goroutine.
	Open(ctx context.Context, send func(JSON)) (Session, error)
}

// Session is one client's conversation in a [Protocol]. Its methods are called
// one at a time; answers may be waited for meanwhile.
type Session interface {
	// Start hands over a message that has an id; what is started first comes
	// first, but an [Ordered] or [Yielding] one is handed over when its answer is waited for.
	// It does not wait for the answer, which is what it returns. Of ctx it takes the
	// call's [Reservation].
	Start(ctx context.Context, m Message) PendingCall
	// Notify takes a message that has no id. It does not wait for what follows
	// from it.
	Notify(Message)
	// Release ends the calls in the lane [Open]: they return their answers.
	Release()
	// Close ends the session. No call may be under way.
	Close()
}

// PendingCall is a message that will be answered.
type PendingCall struct {
	Lane    Lane     // beside which other calls it is answered
	Toolset *Toolset // whose calls are in order, if the lane is [Ordered]
	// Wait waits for the answer, or for the end of ctx. Silent means that none is
	// due: the client said that it no longer wants it.
	Wait func(ctx context.Context) (result JSON, failure *Error, silent bool)
}
