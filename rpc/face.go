package rpc

import (
	"context"
	"encoding/json"
)

// Face answers the messages of a protocol that is spoken beside the bare
// methods, on the same connection.
type Face interface {
	// Claims reports whether messages with this method are the face's.
	Claims(method string) bool
	// Bare returns the params of a method that is not the face's without what a
	// client of its protocol adds to every request, and what makes the result
	// one that such a client accepts.
	Bare(params json.RawMessage) (json.RawMessage, func(JSON) JSON)
	// Open begins a session with one client. Send sends the client a message
	// that it did not ask for; it may be called at any time until the session
	// is closed, by any goroutine.
	Open(send func(JSON)) (Session, error)
}

// Session is one client's conversation with a [Face]. Its methods are called one
// at a time; answers may be waited for meanwhile.
type Session interface {
	// Pace tells beforehand how long a call may take.
	Pace(Message) Pace
	// Start hands over a message that has an id; what is started first comes
	// first. It does not wait for the answer, which is what it returns.
	Start(Message) Answer
	// Notify takes a message that has no id. It does not wait for what follows
	// from it.
	Notify(Message)
	// Release ends the calls that are [Parked]: they return their answers.
	Release()
	// Close ends the session. No call may be under way.
	Close()
}

// Answer waits for the answer to a message, or for the end of ctx. Silent means
// that none is due: the client said that it no longer wants it.
type Answer func(ctx context.Context) (result JSON, failure *Error, silent bool)

// Message is a request or notification as it came in.
type Message struct {
	ID     json.RawMessage // as the client wrote it; nil for a notification
	Method string
	Params json.RawMessage // nil where there are none

	Checked Checked
}

// Checked is what is known of params that fit the schema of their method; its
// zero value is that of all others. See [Registry.CallChecked].
type Checked struct {
	Method *Method
	heard  Listener // nil for nobody
}

// Pace is how long a call may take.
type Pace uint8

// The paces.
const (
	Brisk  Pace = iota // is answered before the next message is looked at
	Slow               // runs beside others and holds none of them up
	Parked             // stays until the client, or the end of the session, ends it
)
