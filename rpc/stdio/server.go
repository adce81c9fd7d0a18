package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"instruction-catalog/rpc"
)

// DefaultMaxLine is the default limit for the length of a line, in bytes.
const DefaultMaxLine = 16 << 20

// Server serves a registry to one client.
type Server struct {
	Registry *rpc.Registry
	Protocol rpc.Protocol // an additional protocol on the same connection; may be nil
	Log      *slog.Logger
	User     string        // the user that the server was started for; may be ""
	MaxLine  int           // maximum length of a line in bytes
	Grace    time.Duration // how long Serve may take to return after its context is done
}

// Serve reads requests from in and answers them until in ends or ctx is done. It then
// answers every request that it has read and returns nil. Input still in flight when ctx is
// done is discarded. Serve returns the errors of in and out, and [rpc.ErrDeadline] if not
// all requests were answered within the grace period.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	input := &interruptible{ctx: ctx, in: in}
	output := newOutput(out)
	stream := &stream{lines: newLineReader(input, s.MaxLine), out: output, log: s.Log, memory: s.Registry.Memory()}
	// Calls continue when ctx is done, and are stopped at the end of the grace period.
	calls, stop := context.WithCancel(rpc.WithCaller(context.WithoutCancel(ctx), rpc.Caller{User: s.User, Via: rpc.Bare}))
	defer stop()
	calls = rpc.WithConnection(calls, rpc.NewConnection(calls, output.notices.send))
	h := &handler{registry: s.Registry, stream: stream, session: session{protocol: s.Protocol, out: output}, lanes: newLanes(calls, output.notices)}
	conn := jsonrpc2.NewConn(context.Background(), stream, h,
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	answered := make(chan struct{})
	go func() {
		input.over(conn.DisconnectNotify())
		h.lanes.running.Wait()
		h.session.release(&h.lanes.open)
		output.notices.stop()
		close(answered)
	}()
	if err := s.wait(ctx, answered, output.failed); err != nil {
		return err
	}
	if err := output.failure(); err != nil {
		return fmt.Errorf("write answers: %w", err)
	}
	if stream.failure != nil {
		return fmt.Errorf("read requests: %w", stream.failure)
	}
	return nil
}

// wait returns nil when every request is answered or writing an answer has failed. It
// returns [rpc.ErrDeadline] when the grace period after the end of ctx is over.
func (s *Server) wait(ctx context.Context, answered, failed <-chan struct{}) error {
	var deadline <-chan time.Time
	ended := ctx.Done()
	for {
		select {
		case <-answered:
			return nil
		case <-failed:
			return nil
		case <-ended:
			ended, deadline = nil, time.After(s.Grace)
		case <-deadline:
			return rpc.ErrDeadline
		}
	}
}

// handler handles the stream's current request. The connection calls it for one request at
// a time, in order.
type handler struct {
	registry *rpc.Registry
	session  session
	stream   *stream
	lanes    *lanes
}

// Handle implements jsonrpc2.Handler. It does not use the connection's context for calls,
// because that context is done at the end of the input, when calls may still be running.
func (h *handler) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {
	r, admitted := h.admit(h.stream.current)
	if !admitted {
		return
	}
	m, known := h.registry.Method(r.Method)
	switch {
	case known && m.Lane != rpc.Inline:
		c := h.bare(r.kept(), m.Lane)
		c.toolset, c.reads = m.Toolset(), m.Effect == rpc.Reads
		h.lanes.run(c)
	case known || !h.session.claims(r.Method): // the registry's methods take precedence over the protocol's
		h.lanes.run(h.bare(r, rpc.Inline))
	default:
		r = r.kept()
		if id := h.session.cancels(r); id != nil {
			h.lanes.cancel(id)
		}
		h.lanes.run(h.session.start(rpc.WithReservation(h.lanes.ctx, r.answers), r))
	}
}

// admit reserves memory for the params of a request. No further input is read while it
// waits for the memory. If it fails, it answers the request with the error.
func (h *handler) admit(r request) (_ request, admitted bool) {
	memory := h.registry.Memory()
	r.answers = r.reply.answers
	if !r.wants() { // a notification may still be running when its batch has been answered
		r.answers = memory.Answers(rpc.NoTimeout)
	}
	release, failure := memory.ReserveParams(h.lanes.ctx, len(r.Params))
	if failure != nil {
		r.releaseParams = func() {}
		r.answer(nil, failure)
		return r, false
	}
	r.releaseParams = release
	return r, true
}

// bare returns the call for a request that calls a method of the registry.
func (h *handler) bare(r request, lane rpc.Lane) call {
	return call{lane: lane, id: r.ID, answer: func(ctx context.Context) {
		r.answer(h.result(rpc.WithReservation(ctx, r.answers), r))
	}}
}

// errCancelled is the answer to a call that the client has cancelled.
var errCancelled = &rpc.Error{Code: rpc.RequestCancelled, Message: "the call was cancelled"}

func (h *handler) result(ctx context.Context, r request) (rpc.JSON, *rpc.Error) {
	if cancelled(ctx) {
		return nil, errCancelled
	}
	result, failure := h.session.bare(r.Params, func(params json.RawMessage) (rpc.JSON, *rpc.Error) {
		return h.registry.Call(ctx, r.Method, params)
	})
	if failure != nil && cancelled(ctx) {
		failure = errCancelled
	}
	return result, failure
}

// cancelled reports whether a call was cancelled. It returns false if the time limit has
// passed, because the handler reports that.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
