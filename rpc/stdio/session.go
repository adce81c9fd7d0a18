package stdio

import (
	"context"
	"encoding/json"
	"sync"

	"instruction-catalog/rpc"
)

// session is the client's conversation in the protocol that is spoken beside the
// bare methods. It begins with the first message that the protocol claims. The
// connection hands over one message at a time, so that nothing here is used by
// two goroutines but the protocol's own session.
type session struct {
	protocol rpc.Protocol // nil for none
	out      *output
	begun    rpc.Session
	failure  *rpc.Error // why it could not begin
}

func (s *session) claims(method string) bool {
	return s.protocol != nil && s.protocol.Claims(method)
}

// bare calls a method that is not the protocol's, for a client that may speak it.
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

// cancels returns the id of the call that a notification of the protocol cancels,
// nil for anything else.
func (s *session) cancels(r request) json.RawMessage {
	if r.wants() {
		return nil
	}
	return s.protocol.Cancels(r.Message)
}

// start hands the protocol a request. It returns the call that waits for the
// answer and passes it on.
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
	return call{lane: pending.Lane, toolset: pending.Toolset, answer: func(ctx context.Context) {
		result, failure, silent := pending.Wait(ctx)
		if silent {
			r.waive()
			return
		}
		r.answer(result, failure)
	}}
}

// release ends the open calls, once the client can no longer end them.
func (s *session) release(open *sync.WaitGroup) {
	if s.begun == nil {
		return
	}
	s.begun.Release()
	open.Wait()
	s.begun.Close()
}
