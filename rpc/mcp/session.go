package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"instruction-catalog/rpc"
)

// claimed are the methods of MCP, by the part before the first slash: the whole
// method where there is none.
var claimed = map[string]bool{
	"initialize": true, "ping": true, "notifications": true, "server": true, "tools": true, "resources": true,
	"prompts": true, "completion": true, "logging": true, "subscriptions": true, "skills": true,
}

const listen = "subscriptions/listen"

// Claims implements [rpc.Protocol].
func (s *Server) Claims(method string) bool {
	family, _, _ := strings.Cut(method, "/")
	return claimed[family]
}

// Open implements [rpc.Protocol].
func (s *Server) Open(send func(rpc.JSON)) (rpc.Session, error) {
	return &session{server: s, sessions: newConversation(s, send), stateless: newConversation(s, send)}, nil
}

// maxListening is how many subscriptions/listen a client may have open.
const maxListening = 64

// session is one client on a pipe.
type session struct {
	server    *Server
	sessions  *conversation // in the versions that have sessions
	stateless *conversation // in those that have none
	listening atomic.Int64

	initialized sync.Once // the client has said so
}

// Lane implements [rpc.Session].
func (s *session) Lane(m rpc.Message) rpc.Lane {
	switch {
	case m.ID == nil:
		return rpc.Inline
	case m.Method == listen:
		return rpc.Open
	case m.Method == "tools/call":
		return s.server.laneOf(m.Params)
	}
	return rpc.Inline
}

// Start implements [rpc.Session].
func (s *session) Start(m rpc.Message) rpc.PendingCall {
	if failure := check(m); failure != nil {
		return func(context.Context) (rpc.JSON, *rpc.Error, bool) { return nil, failure, false }
	}
	c := s.sessions
	if isStateless(m) {
		c = s.stateless
	}
	switch {
	case c.greets(m):
		return c.greet(m)
	case m.Method == listen:
		return s.listen(c, m)
	}
	return c.start(m)
}

func (s *session) listen(c *conversation, m rpc.Message) rpc.PendingCall {
	if s.listening.Add(1) > maxListening {
		s.listening.Add(-1)
		return func(context.Context) (rpc.JSON, *rpc.Error, bool) { return nil, errListening, false }
	}
	answer := c.start(m)
	return func(ctx context.Context) (rpc.JSON, *rpc.Error, bool) {
		defer s.listening.Add(-1)
		return answer(ctx)
	}
}

var errListening = &rpc.Error{Code: rpc.InvalidRequest, Message: fmt.Sprintf(
	"invalid request: %d subscriptions are open: cancel one first", maxListening)}

// check refuses what the SDK would take or answer with the wrong code.
func check(m rpc.Message) *rpc.Error {
	if strings.HasPrefix(m.Method, "notifications/") {
		return &rpc.Error{Code: rpc.InvalidRequest, Message: "invalid request: " + m.Method + " is a notification: send it without an id"}
	}
	if len(m.Params) > 0 && m.Params[0] == '[' {
		return rpc.BadParam("", "this method takes its params by name: pass an object, not an array")
	}
	if m.Method == "initialize" && asked(m) == nil {
		return rpc.BadParam("protocolVersion", "must be a string, such as \"2025-11-25\"")
	}
	return nil
}

// object returns params, an empty object where there are none.
func object(params json.RawMessage) json.RawMessage {
	if len(params) == 0 || string(params) == "null" {
		return json.RawMessage("{}")
	}
	return params
}

// Notify implements [rpc.Session]. The SDK queues what it is notified of without
// a bound, so it gets only what this server acts on, and that once.
func (s *session) Notify(m rpc.Message) {
	switch m.Method {
	case cancelled:
		s.sessions.pipe.cancel(m.Params)
		s.stateless.pipe.cancel(m.Params)
	case "notifications/initialized":
		s.sessions.wake()
		s.initialized.Do(func() { s.sessions.pipe.notify(m.Method, object(m.Params)) })
	}
}

// Release implements [rpc.Session].
func (s *session) Release() {
	s.sessions.pipe.release()
	s.stateless.pipe.release()
}

// Close implements [rpc.Session].
func (s *session) Close() {
	s.sessions.close()
	s.stateless.close()
}
