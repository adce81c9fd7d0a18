package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"

	"github.com/sourcegraph/jsonrpc2"

	"instruction-catalog/rpc"
)

// stream is the object stream under a jsonrpc2.Conn. The connection asks it
// for one request after the other and hands each to the handler before it asks
// for the next.
//
// Of each request the connection sees an [envelope] only: it could not carry
// every id that JSON-RPC allows, knows no batches, and would decode params
// several times over. The request itself is [stream.current].
type stream struct {
	lines *lineReader
	out   *output
	log   *slog.Logger

	memory *rpc.Memory

	failure  error     // why reading ended before the input did
	requests []request // of the line that was read last
	called   int       // how many of them the connection has been given
	current  request
	envelope envelope
}

// request is an element of a line that has to be called, and where its answer
// goes. It is valid until the next line is read: a caller that needs it longer takes what
// is [request.kept].
type request struct {
	element
	reply reply
	index int
	// releaseParams releases the memory that is reserved for the params.
	releaseParams func()
	answers       *rpc.Reservation // for the answer, until it is written
}

// answer answers the request, if it wants an answer.
func (r request) answer(result rpc.JSON, failure *rpc.Error) {
	r.releaseParams()
	if r.wants() {
		r.reply.answer(r.index, r.ID, result, failure)
	} else {
		r.answers.Release()
	}
}

// waive gives up the answer, which the client no longer wants.
func (r request) waive() {
	r.releaseParams()
	r.reply.done()
}

// kept is the request without a part in the line.
func (r request) kept() request {
	r.ID, r.Params = bytes.Clone(r.ID), bytes.Clone(r.Params)
	return r
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject makes the next request the current one and gives the connection an
// envelope for it. It returns io.EOF when there are no more, or nobody takes the
// answers.
func (s *stream) ReadObject(v any) error {
	for s.called == len(s.requests) {
		if s.out.failure() != nil {
			return io.EOF
		}
		line, err := s.lines.next()
		switch {
		case errors.Is(err, errLineTooLong):
			s.accept(refusal(rpc.InvalidRequest, fmt.Sprintf(
				"invalid request: the line is longer than %d bytes and was discarded: send less at a time", s.lines.limit)))
		case errors.Is(err, io.EOF), errors.Is(err, errInterrupted):
			return io.EOF
		case err != nil:
			s.failure = err
			return io.EOF
		default:
			s.accept(parse(line))
		}
	}
	s.current, s.requests[s.called] = s.requests[s.called], request{} // which keeps no answer alive
	s.called++
	return s.envelope.fill(v)
}

// WriteObject is never called: answers go to the output, with the client's own id.
func (s *stream) WriteObject(any) error { return errors.ErrUnsupported }

// Close has nothing to close: the streams belong to the caller.
func (s *stream) Close() error { return nil }

// accept queues the requests of a line and answers at once what is no request.
func (s *stream) accept(m message) {
	s.requests, s.called = s.requests[:0], 0
	reply := newReply(s.out, m, s.memory)
	for i, e := range m.elements {
		switch {
		case e.stray:
			s.log.Warn("ignored a response: this server sends no requests")
		case e.err != nil:
			reply.answer(i, e.ID, nil, e.err)
		default:
			s.requests = append(s.requests, request{element: e, reply: reply, index: i})
		}
	}
}

// envelope is all that the connection sees of a request: the same for each.
//
// Decoding it takes the library longer than everything else that this package
// does for a small call. It is decoded once, and what came of it is copied from
// then on: neither the connection nor the handler changes it.
type envelope struct {
	decoded reflect.Value // of the library's own type, which has no name outside
}

// fill makes an envelope of what the connection wants to have read.
func (e *envelope) fill(v any) error {
	message := reflect.ValueOf(v).Elem()
	if e.decoded.IsValid() {
		message.Set(e.decoded)
		return nil
	}
	// What the connection reads into reads itself.
	if err := v.(json.Unmarshaler).UnmarshalJSON([]byte(`{"id":0,"method":"the current request"}`)); err != nil {
		return err
	}
	e.decoded = reflect.New(message.Type()).Elem()
	e.decoded.Set(message)
	return nil
}
