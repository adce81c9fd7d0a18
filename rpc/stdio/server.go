package stdio

import (
	"context"
	"errors"
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

// ErrDeadline says that answers were still owed when the time for ending ran out.
var ErrDeadline = errors.New("the client did not take every answer in time")

// Server serves a registry to one client.
type Server struct {
	Registry *rpc.Registry
	Log      *slog.Logger
	MaxLine  int           // bytes
	Grace    time.Duration // how long Serve may take to end once its context has ended
}

// Serve answers what it reads from in until in ends or ctx does. Either way it
// then answers every request that it has read and returns nil, or an error
// when an answer could not be delivered: [ErrDeadline] when the grace period
// passed, else that of out.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	input := &interruptible{ctx: ctx, in: in}
	output := newOutput(out)
	stream := &stream{lines: newLineReader(input, s.MaxLine), out: output, log: s.Log}
	h := &handler{registry: s.Registry, stream: stream, slow: semaphore.NewWeighted(maxSlow)}
	conn := jsonrpc2.NewConn(context.Background(), stream, h,
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	answered := make(chan struct{})
	go func() {
		input.over(conn.DisconnectNotify())
		h.running.Wait()
		close(answered)
	}()
	if err := s.wait(ctx, answered, output.failed); err != nil {
		return err
	}
	if err := output.failure(); err != nil {
		return fmt.Errorf("write answers: %w", err)
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
			return ErrDeadline
		}
	}
}

// handler calls the stream's current request. The connection calls it for one
// request at a time, in order.
type handler struct {
	registry *rpc.Registry
	stream   *stream
	slow     *semaphore.Weighted
	running  sync.WaitGroup
}

// Handle implements jsonrpc2.Handler. A slow method runs beside what follows;
// every other has been answered when Handle returns.
func (h *handler) Handle(ctx context.Context, _ *jsonrpc2.Conn, _ *jsonrpc2.Request) {
	ctx = context.WithoutCancel(ctx) // the connection cancels it at the end of input, when answers are still owed
	call := h.stream.current
	m, ok := h.registry.Method(call.method)
	if !ok || !m.Slow {
		h.call(ctx, call)
		return
	}
	_ = h.slow.Acquire(ctx, 1) // fails only when ctx ends
	h.running.Go(func() {
		defer h.slow.Release(1)
		h.call(ctx, call)
	})
}

func (h *handler) call(ctx context.Context, call request) {
	result, failure := h.registry.Call(ctx, call.method, call.params)
	if call.wants() {
		call.reply.answer(call.index, response(call.id, result, failure))
	}
}
