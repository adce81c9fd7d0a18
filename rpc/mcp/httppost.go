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
	size      int // bytes, as it came in
	batch     bool
	messages  []rpc.Message // those of responses are zero
	texts     []rpc.JSON    // what the SDK is given for each
	stateless bool          // it is for the versions that have no sessions
}

// only is the message of a post that is no batch, else none.
func (p *post) only() rpc.Message {
	if p == nil || p.batch {
		return rpc.Message{}
	}
	return p.messages[0]
}

// body reads the body of a request, and reserves memory for what becomes of it. A large
// body waits for its turn to be read.
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

// read reads the messages of a body. Nothing of it has been answered when one of
// them is refused.
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

// split checks the measures of a body before anything is decoded, and cuts it
// into messages.
func split(text []byte, maxBatch int) (members []json.RawMessage, batch bool, _ *refusal) {
	if !utf8.Valid(text) {
		return nil, false, unreadable("the body is not UTF-8")
	}
	depth, values := rpc.Measure(text)
	switch {
	case values > rpc.MaxValues:
		return nil, false, invalid(fmt.Sprintf(
			"the body holds about %d values and may hold %d: send less at a time", values, rpc.MaxValues))
	case depth > rpc.MaxDepth+3: // a batch, its requests, and params
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

// messageOf reads one JSON value as a message, with params always, and returns
// what the SDK is given for it. What JSON-RPC allows and MCP does not is refused,
// because the SDK would take it for something else. A response is a message
// without anything, and the SDK's to look at.
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

// faultOf says what MCP does not allow in a message, "" if nothing.
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

// unasked is a response to a request that was never made: the SDK checks the
// headers and the session that it comes with, and passes over it.
var unasked = rpc.JSON{[]byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)}

// forSDK returns the text that the SDK is given for a message: each member once. It queues
// notifications without a bound, so it gets only the one that something follows
// from. It knows the rest already: a session has begun with its initialize.
func forSDK(m rpc.Message) rpc.JSON {
	if m.ID == nil && m.Method != cancelled {
		return unasked
	}
	method, _ := json.Marshal(m.Method) // a string can be encoded
	text := rpc.JSON{[]byte(`{"jsonrpc":"2.0","method":`), method, []byte(`,"params":`), m.Params}
	if m.ID != nil {
		text = append(text, []byte(`,"id":`), m.ID)
	}
	return append(text, []byte("}"))
}

// namesStateless reports whether the message itself says that it is for a
// version without sessions, whatever the header says. The SDK then checks that
// the two agree.
func (p *post) namesStateless() bool {
	m := p.only()
	return isStateless(m) || m.Method == "server/discover" || m.Method == listen
}

// request returns r with the messages as its body.
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

// headerValue decodes the value of a header that is not plain ASCII, which the SDK
// compares without (Streamable HTTP of 2026-07-28, "Value Encoding").
func headerValue(value string) (string, bool) {
	value, prefixed := strings.CutPrefix(value, "=?base64?")
	value, suffixed := strings.CutSuffix(value, "?=")
	name, err := base64.StdEncoding.DecodeString(value)
	return string(name), prefixed && suffixed && err == nil
}
