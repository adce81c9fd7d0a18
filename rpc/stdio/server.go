package stdio

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/sync/semaphore"

	"instruction-catalog/rpc"
)

// DefaultMaxLine is the default limit for the length of a line, in bytes.
const DefaultMaxLine = 16 << 20

// maxSlow is how many slow calls may be under way or waiting for their turn.
const maxSlow = 64

// Server serves a registry to one client.
type Server struct {
	Registry *rpc.Registry
	Protocol rpc.Protocol // what is spoken beside the bare methods; nil for nothing
	Log      *slog.Logger
	User     string        // whom the server was started for; "" for nobody
	MaxLine  int           // bytes
	Grace    time.Duration // how long Serve may take to end once its context has ended
}

// Serve answers what it reads from in until in ends or ctx does. Either way it
// then answers every request that it has read and returns nil. Bytes that in is
// still handing over when ctx ends have not been read. Its errors are those of
// in and out, and [rpc.ErrDeadline] when the grace period passed.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	input := &interruptible{ctx: ctx, in: in}
	output := newOutput(out)
	stream := &stream{lines: newLineReader(input, s.MaxLine), out: output, log: s.Log}
	// Calls go on when ctx ends, and are stopped when the grace period does.
	calls, stop := context.WithCancel(rpc.WithCaller(context.WithoutCancel(ctx), rpc.Caller{User: s.User, Via: rpc.Bare}))
	defer stop()
	h := &handler{
		ctx: calls, registry: s.Registry, stream: stream,
		session: session{protocol: s.Protocol, out: output}, slow: semaphore.NewWeighted(maxSlow),
		last: map[*rpc.Toolset]chan struct{}{},
	}
	conn := jsonrpc2.NewConn(context.Background(), stream, h,
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	answered := make(chan struct{})
	go func() {
		input.over(conn.DisconnectNotify())
		h.running.Wait()
		h.session.release()
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

// wait returns when every request is answered, when nobody takes the answers,
// or when the grace period after the end of ctx is over.
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

// handler calls the stream's current request. The connection calls it for one
// request at a time, in order.
type handler struct {
	ctx      context.Context // of the calls
	registry *rpc.Registry
	session  session
	stream   *stream
	slow     *semaphore.Weighted
	last     map[*rpc.Toolset]chan struct{} // closed when the last ordered call of a toolset has been answered
	running  sync.WaitGroup
}

// Handle implements jsonrpc2.Handler. The context that it gets ends with the
// input, when answers are still owed, and so is not that of the calls. A slow
// call runs beside what follows; every other has been answered when Handle
// returns.
func (h *handler) Handle(_ context.Context, _ *jsonrpc2.Conn, _ *jsonrpc2.Request) {
	r := h.stream.current
	call, lane, toolset := h.start(r)
	switch lane {
	case rpc.Inline:
		call()
	case rpc.Open:
		h.session.open.Go(call)
	default:
		if h.slow.Acquire(h.ctx, 1) != nil {
			return // serving has ended
		}
		if lane == rpc.Ordered {
			call = h.inTurn(toolset, call)
		}
		h.running.Go(func() {
			defer h.slow.Release(1)
			call()
		})
	}
}

// inTurn returns a call that waits until the one of the same toolset before it has
// been answered.
func (h *handler) inTurn(toolset *rpc.Toolset, call func()) func() {
	before, done := h.last[toolset], make(chan struct{})
	h.last[toolset] = done
	return func() {
		defer close(done)
		if before != nil {
			<-before
		}
		call()
	}
}

// start returns what answers a request, and in which lane, of which toolset.
func (h *handler) start(r request) (func(), rpc.Lane, *rpc.Toolset) {
	if h.session.claims(r.Method) {
		return h.session.start(h.ctx, r.kept())
	}
	if m, ok := h.registry.Method(r.Method); ok && m.Lane != rpc.Inline {
		r = r.kept()
		return func() { h.call(r) }, m.Lane, m.Toolset()
	}
	return func() { h.call(r) }, rpc.Inline, nil
}

// call answers a request with what the registry says.
func (h *handler) call(r request) {
	result, failure := h.result(r)
	if r.wants() {
		r.reply.answer(r.index, r.ID, result, failure)
	}
}

// result calls a method.
func (h *handler) result(r request) (rpc.JSON, *rpc.Error) {
	return h.session.bare(r.Params, func(params json.RawMessage) (rpc.JSON, *rpc.Error) {
		return h.registry.Call(h.ctx, r.Method, params)
	})
}
