package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"instruction-catalog/rpc"
)

// stream is the object stream under a jsonrpc2.Conn. The connection asks it
// for one request after the other and hands each to the handler before it asks
// for the next.
//
// Of each request the connection sees the method only: it could not carry
// every id that JSON-RPC allows, knows no batches, and would decode params
// several times over. The request itself is [stream.current].
type stream struct {
	ctx   context.Context // ends when no more is to be read
	lines <-chan inputLine
	input *interruptible
	out   *output
	log   *slog.Logger
	limit int

	queue   []request // the rest of the line that was read last
	current request
}

// request is an element of a line that has to be called, and where its answer
// goes.
type request struct {
	element
	reply *reply
	index int
}

// inputLine is what one step of a lineReader gave.
type inputLine struct {
	text []byte
	err  error
}

// newStream starts reading lines. They come through a channel because a read
// from a pipe cannot be interrupted when the process is asked to end.
func newStream(ctx context.Context, in io.Reader, out *output, limit int, log *slog.Logger) *stream {
	input := &interruptible{ctx: ctx, in: in}
	lines := make(chan inputLine)
	go func() {
		defer close(lines)
		reader := newLineReader(input, limit)
		for {
			text, err := reader.next()
			if err != nil && !errors.Is(err, errLineTooLong) {
				return
			}
			lines <- inputLine{text, err}
		}
	}()
	return &stream{ctx: ctx, lines: lines, input: input, out: out, log: log, limit: limit}
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject makes the next request the current one and tells the connection
// its method. It returns io.EOF when there are no more.
func (s *stream) ReadObject(v any) error {
	for len(s.queue) == 0 {
		line, ok := s.nextLine()
		if !ok {
			return io.EOF
		}
		s.accept(s.read(line))
	}
	s.current, s.queue = s.queue[0], s.queue[1:]
	envelope, err := json.Marshal(struct {
		ID     int    `json:"id"`
		Method string `json:"method"`
	}{Method: s.current.method})
	if err != nil {
		return err
	}
	return json.Unmarshal(envelope, v)
}

// WriteObject is never called: answers go to the output, with the client's own id.
func (s *stream) WriteObject(any) error { return errors.ErrUnsupported }

// Close has nothing to close: the streams belong to the caller.
func (s *stream) Close() error { return nil }

// nextLine waits for a line. Once the context has ended it returns only lines
// that have been read already.
func (s *stream) nextLine() (inputLine, bool) {
	const pause = 5 * time.Millisecond
	ended := s.ctx.Done()
	var poll <-chan time.Time
	for {
		select {
		case line, ok := <-s.lines:
			return line, ok
		case <-s.out.failed:
			return inputLine{}, false
		case <-ended:
			ended, poll = nil, time.After(pause)
		case <-poll:
			if s.input.waiting.Load() {
				return inputLine{}, false
			}
			poll = time.After(pause)
		}
	}
}

func (s *stream) read(line inputLine) message {
	if line.err != nil {
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the line is longer than %d bytes and was discarded: send less at a time", s.limit))
	}
	return parse(line.text)
}

// accept queues the requests of a line and answers at once what is none.
func (s *stream) accept(m message) {
	reply := newReply(s.out, m)
	for i, e := range m.elements {
		switch {
		case e.stray:
			s.log.Warn("ignored a response: this server sends no requests")
		case e.err != nil:
			reply.answer(i, response(e.id, nil, e.err))
		default:
			s.queue = append(s.queue, request{element: e, reply: reply, index: i})
		}
	}
}

// interruptible is a reader that ends with its context. A read that waits at
// that moment goes on waiting, which the flag tells.
type interruptible struct {
	ctx     context.Context
	in      io.Reader
	waiting atomic.Bool
}

// errInterrupted ends the input early: unlike at its end, what is left of a
// line is not a line.
var errInterrupted = errors.New("interrupted")

func (r *interruptible) Read(p []byte) (int, error) {
	r.waiting.Store(true)
	defer r.waiting.Store(false)
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return r.in.Read(p)
}
