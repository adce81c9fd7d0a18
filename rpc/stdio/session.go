package stdio

import (
	"context"
	"encoding/json"
	"sync"

	"instruction-catalog/rpc"
)

// session is the client's session in the additional protocol of the connection. It begins
// with the first message that the protocol claims. The connection handles one message at a
// time, so only the protocol's own session is used by several goroutines.
type session struct {
	protocol rpc.Protocol // nil if the connection has no additional protocol
	out      *output
	begun    rpc.Session
	failure  *rpc.Error // why the session could not begin
}

func (s *session) claims(method string) bool {
	return s.protocol != nil && s.protocol.Claims(method)
}

// bare calls a method of the registry. It adapts params and result with
// [rpc.Protocol.Bare], because the client may speak the protocol.
func (s *session) bare(params json.RawMessage, call func(json.RawMessage) (rpc.JSON, *rpc.Error)) (rpc.JSON, *rpc.Error) {
	if s.protocol == nil {
		return call(params)
	}
	params, accepted := s.protocol.Bare(params)
	result, failure := call(params)
	if failure != nil {
		return nil, failure
	}
	return accepted(result), nil
}

// begin begins the session if it has not begun.
func (s *session) begin(ctx context.Context) {
	if s.begun != nil || s.failure != nil {
		return
	}
	begun, err := s.protocol.Open(ctx, s.out.writeLine)
	if err != nil {
		s.failure = rpc.Failed(err.Error())
		return
	}
	s.begun = begun
}

// cancels returns the id of the call that a notification of the protocol cancels, or nil
// for any other message.
func (s *session) cancels(r request) json.RawMessage {
	if r.wants() {
		return nil
	}
	return s.protocol.Cancels(r.Message)
}

// start passes a request to the protocol. It returns a call that waits for the answer and
// writes it.
func (s *session) start(ctx context.Context, r request) call {
	s.begin(ctx)
	switch {
	case s.begun == nil:
		return call{answer: func(context.Context) { r.answer(nil, s.failure) }}
	case !r.wants():
		return call{answer: func(context.Context) {
			s.begun.Notify(r.Message)
			r.answer(nil, nil)
		}}
	}
	pending := s.begun.Start(ctx, r.Message)
	return call{lane: pending.Lane, toolset: pending.Toolset, reads: pending.Reads, answer: func(ctx context.Context) {
		result, failure, silent := pending.Wait(ctx)
		if silent {
			r.waive()
			return
		}
		r.answer(result, failure)
	}}
}

// release ends the open calls and closes the session. Call it when the client can no longer
// end the calls itself.
func (s *session) release(open *sync.WaitGroup) {
	if s.begun == nil {
		return
	}
	s.begun.Release()
	open.Wait()
	s.begun.Close()
}
