package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"instruction-catalog/rpc"
)

// post is the body of a POST: one message, or a batch of them.
type post struct {
	size      int // bytes, as received
	batch     bool
	messages  []rpc.Message // zero for a response
	texts     []rpc.JSON    // the text to pass to the SDK for each message
	stateless bool          // the post is for a version without sessions
}

// only returns the message of a post that is not a batch. It returns the zero Message for a
// batch and for nil.
func (p *post) only() rpc.Message {
	if p == nil || p.batch {
		return rpc.Message{}
	}
	return p.messages[0]
}

// body reads the body of a request and reserves memory for decoding it. A large body is
// read only when the bodyLimiter admits it. Call release when the params are no longer in
// use.
func (h *Handler) body(a *answering, r *http.Request) (text []byte, release func(), _ *refusal) {
	whole := http.MaxBytesReader(a, r.Body, h.limits.body)
	text, err := io.ReadAll(io.LimitReader(whole, int64(h.limits.small)))
	if err == nil && len(text) == h.limits.small {
		size := h.limits.body
		if r.ContentLength >= 0 {
			size = min(size, r.ContentLength)
		}
		ctx, cancel := context.WithTimeout(r.Context(), h.limits.timeout)
		defer cancel()
		arrived, late := h.arriving.acquire(ctx, a.user, size)
		if late != nil {
			return nil, nil, busy(rpc.ErrMemory.Message)
		}
		defer arrived()
		var rest []byte
		rest, err = io.ReadAll(whole)
		text = append(text, rest...)
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		failure := invalid(fmt.Sprintf("the body has more than %d bytes: send less at a time", h.limits.body))
		failure.status = http.StatusRequestEntityTooLarge
		return nil, nil, failure
	}
	if err != nil {
		return nil, nil, invalid("the body did not arrive")
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.limits.timeout)
	defer cancel()
	release, failure := h.memory().ReserveParams(ctx, len(text))
	if failure != nil {
		return nil, nil, busy(failure.Message)
	}
	return text, release, nil
}

// read parses all messages of a body. If one is invalid, it returns a refusal for the whole
// body; no message has been answered by then.
func (h *Handler) read(text []byte, header http.Header) (*post, *refusal) {
	members, batch, failure := split(text, h.limits.batch)
	if failure != nil {
		return nil, failure
	}
	p := &post{size: len(text), batch: batch}
	ids := map[jsonrpc.ID]bool{}
	for _, member := range members {
		m, text, err := messageOf(member)
		id, _ := idOf(m.ID)
		switch {
		case err != nil:
			return nil, rejected(err)
		case m.ID != nil && ids[id]:
			return nil, invalid("two messages of the batch have the id " + rpc.Shorten(string(m.ID), maxEcho))
		case batch && (m.Method == "initialize" || m.Method == listen):
			return nil, invalid(m.Method + " may not be part of a batch")
		}
		ids[id] = true
		p.messages, p.texts = append(p.messages, m), append(p.texts, text)
	}
	p.stateless = header.Get(versionHeader) >= stateless || p.namesStateless()
	return p, nil
}

// split checks that a body is UTF-8, and checks its number of values and its nesting depth,
// before anything is decoded. It then splits the body into messages.
func split(text []byte, maxBatch int) (members []json.RawMessage, batch bool, _ *refusal) {
	if !utf8.Valid(text) {
		return nil, false, unreadable("the body is not UTF-8")
	}
	depth, values := rpc.Measure(text)
	switch {
	case values > rpc.MaxValues:
		return nil, false, invalid(fmt.Sprintf(
			"the body has about %d values, and at most %d are allowed: send less at a time", values, rpc.MaxValues))
	case depth > rpc.MaxDepth+3: // three more for the batch, the request and its params
		return nil, false, invalid(fmt.Sprintf("nested deeper than %d levels", rpc.MaxDepth))
	}
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		return []json.RawMessage{text}, false, nil
	}
	members, err := rpc.SplitBatch(text, maxBatch)
	if err != nil {
		return nil, true, rejected(err)
	}
	return members, true, nil
}

// messageOf parses one JSON value as a message. It sets missing params to an empty object.
// It also returns the text to pass to the SDK. It returns an error for messages that
// JSON-RPC allows but MCP does not, because the SDK would misread them. For a response the
// message is zero and the text unchanged; the SDK handles it.
func messageOf(text json.RawMessage) (rpc.Message, rpc.JSON, *rpc.Error) {
	m, response, failure := rpc.ReadMessage(text)
	switch {
	case failure != nil:
		return rpc.Message{}, nil, failure
	case response:
		return rpc.Message{}, rpc.JSON{text}, nil
	}
	m.Params = object(m.Params)
	if fault := faultOf(m); fault != "" {
		return rpc.Message{}, nil, invalidRequest("%s", fault)
	}
	return m, forSDK(m), nil
}

// faultOf returns what is wrong with a message according to MCP, or "" if nothing is wrong.
func faultOf(m rpc.Message) string {
	_, hasID := idOf(m.ID)
	_, cancelsOne := cancels(m.Params)
	switch {
	case m.ID != nil && !hasID:
		return badID
	case m.Method == "":
		return "method must not be empty"
	case m.ID == nil && !strings.HasPrefix(m.Method, "notifications/"):
		return rpc.Shorten(m.Method, maxEcho) + " is a request: send it with an id"
	case m.Method == cancelled && !cancelsOne:
		return "requestId must be the id of a request"
	}
	return ""
}

// unasked is a response to a request that was never made. The SDK checks its headers and its
// session, and then ignores it.
var unasked = rpc.JSON{[]byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)}

// forSDK returns the text to pass to the SDK for a message, with each member once. The SDK
// queues notifications without a limit, so it gets only cancellations. It does not need
// other notifications: a session begins with its initialize request.
func forSDK(m rpc.Message) rpc.JSON {
	if m.ID == nil && m.Method != cancelled {
		return unasked
	}
	method, _ := json.Marshal(m.Method) // encoding a string cannot fail
	text := rpc.JSON{[]byte(`{"jsonrpc":"2.0","method":`), method, []byte(`,"params":`), m.Params}
	if m.ID != nil {
		text = append(text, []byte(`,"id":`), m.ID)
	}
	return append(text, []byte("}"))
}

// namesStateless reports whether the message itself is for a version without sessions,
// regardless of the header. The SDK then checks that message and header agree.
func (p *post) namesStateless() bool {
	m := p.only()
	return isStateless(m) || m.Method == "server/discover" || m.Method == listen
}

// request returns a copy of r with the texts for the SDK as its body.
func (p *post) request(r *http.Request) *http.Request {
	var body []io.Reader
	separator := "["
	for _, text := range p.texts {
		if p.batch {
			body = append(body, strings.NewReader(separator))
			separator = ","
		}
		for _, piece := range text {
			body = append(body, bytes.NewReader(piece))
		}
	}
	if p.batch {
		body = append(body, strings.NewReader("]"))
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(io.MultiReader(body...))
	if name, ok := headerValue(r.Header.Get(nameHeader)); ok {
		r.Header.Set(nameHeader, name)
	}
	return r
}

const nameHeader = "Mcp-Name"

// headerValue decodes a base64-encoded header value, which clients send if the value is not
// plain ASCII (Streamable HTTP of 2026-07-28, "Value Encoding"). The SDK compares values
// without decoding them.
func headerValue(value string) (string, bool) {
	value, prefixed := strings.CutPrefix(value, "=?base64?")
	value, suffixed := strings.CutSuffix(value, "?=")
	name, err := base64.StdEncoding.DecodeString(value)
	return string(name), prefixed && suffixed && err == nil
}
