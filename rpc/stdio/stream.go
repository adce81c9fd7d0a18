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

// stream is the object stream of a jsonrpc2.Conn. The connection reads one request at a
// time and passes it to the handler before it reads the next one.
//
// The connection gets only an [envelope] in place of each request, because it does not
// support all ids that JSON-RPC allows, does not support batches, and would decode params
// several times. The handler uses [stream.current] instead.
type stream struct {
	lines *lineReader
	out   *output
	log   *slog.Logger

	memory *rpc.Memory

	failure  error     // the read error that ended the input early
	requests []request // of the last line read
	called   int       // how many of requests the connection has read
	current  request
	envelope envelope
}

// request is an element of a line that is a call or notification, with the destination of
// its answer. It is valid until the next line is read; use [request.kept] to keep it
// longer.
type request struct {
	element
	reply reply
	index int
	// releaseParams releases the memory reserved for the params.
	releaseParams func()
	answers       *rpc.Reservation // for the answer, until it is written
}

// answer ends the request. It writes the answer if the request needs one.
func (r request) answer(result rpc.JSON, failure *rpc.Error) {
	r.releaseParams()
	if r.wants() {
		r.reply.answer(r.index, r.ID, result, failure)
	} else {
		r.answers.Release()
	}
}

// waive ends the request without an answer, after the client cancelled it.
func (r request) waive() {
	r.releaseParams()
	r.reply.done()
}

// kept returns a copy of the request that does not alias the line.
func (r request) kept() request {
	r.ID, r.Params = bytes.Clone(r.ID), bytes.Clone(r.Params)
	return r
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject makes the next request the current one and stores an envelope for it in v. It
// returns io.EOF when there are no more requests or writing an answer has failed.
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
	s.current, s.requests[s.called] = s.requests[s.called], request{} // so that s.requests does not keep the answer in memory
	s.called++
	return s.envelope.fill(v)
}

// WriteObject is never called: the handler writes answers to the output, with the client's
// own id.
func (s *stream) WriteObject(any) error { return errors.ErrUnsupported }

// Close does nothing: the streams belong to the caller.
func (s *stream) Close() error { return nil }

// accept queues the requests of a line. It answers invalid messages at once.
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

// envelope is the message that the connection gets in place of a request. It is the same
// for every request.
//
// Decoding it takes the library longer than everything else that this package does for a
// small call. So it is decoded once and then copied. Neither the connection nor the handler
// changes it.
type envelope struct {
	decoded reflect.Value // of an unexported type of the library
}

// fill stores the envelope in v, the value into which the connection reads.
func (e *envelope) fill(v any) error {
	message := reflect.ValueOf(v).Elem()
	if e.decoded.IsValid() {
		message.Set(e.decoded)
		return nil
	}
	// v is of a type that implements json.Unmarshaler.
	if err := v.(json.Unmarshaler).UnmarshalJSON([]byte(`{"id":0,"method":"the current request"}`)); err != nil {
		return err
	}
	e.decoded = reflect.New(message.Type()).Elem()
	e.decoded.Set(message)
	return nil
}
