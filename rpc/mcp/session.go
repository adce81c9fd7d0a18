package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// claimed are the methods of MCP, by the part before the first slash: the whole
// method where there is none.
var claimed = map[string]bool{
	"initialize": true, "ping": true, "notifications": true, "server": true, "tools": true, "resources": true,
	"prompts": true, "completion": true, "logging": true, "subscriptions": true, "skills": true,
}

const listen = "subscriptions/listen"

// Claims implements [rpc.Face].
func (s *Server) Claims(method string) bool {
	family, _, _ := strings.Cut(method, "/")
	return claimed[family]
}

// Open implements [rpc.Face].
func (s *Server) Open(send func(rpc.JSON)) (rpc.Session, error) {
	return &session{server: s, pipe: newPipe(send)}, nil
}

// maxListening is how many subscriptions/listen a client may have open.
const maxListening = 64

// session is one client on a pipe.
type session struct {
	server    *Server
	pipe      *pipe
	sdk       *mcp.ServerSession // nil until it is needed
	version   string             // what initialize was answered with; "" before
	listening atomic.Int64

	initialized sync.Once // the client has said so
}

// wake connects the SDK, if it is not, and tells it of the handshake.
func (s *session) wake() {
	if s.sdk != nil {
		return
	}
	s.sdk, _ = s.server.sdk.Connect(context.Background(), s.pipe, nil) // a pipe connects always
	if s.version != "" {
		s.pipe.wait(context.Background(), s.pipe.start(introduction(s.version)))
	}
}

// Pace implements [rpc.Session].
func (s *session) Pace(m rpc.Message) rpc.Pace {
	switch {
	case m.ID == nil:
		return rpc.Brisk
	case m.Method == listen:
		return rpc.Parked
	case m.Method == "tools/call" && s.server.slow(m.Params):
		return rpc.Slow
	}
	return rpc.Brisk
}

// Start implements [rpc.Session].
func (s *session) Start(m rpc.Message) rpc.Answer {
	if failure := check(m); failure != nil {
		return func(context.Context) (rpc.JSON, *rpc.Error, bool) { return nil, failure, false }
	}
	if m.Method == "initialize" && s.sdk == nil && s.version == "" && acceptable(m) {
		return s.initialize(m)
	}
	s.wake()
	if m.Method == listen && s.listening.Add(1) > maxListening {
		s.listening.Add(-1)
		return func(context.Context) (rpc.JSON, *rpc.Error, bool) { return nil, errListening, false }
	}
	x := s.pipe.start(m)
	return func(ctx context.Context) (rpc.JSON, *rpc.Error, bool) {
		if m.Method == listen {
			defer s.listening.Add(-1)
		}
		a := s.pipe.wait(ctx, x)
		return a.result, a.failure, a.silent
	}
}

// initialize answers the first message of a session with a handshake.
func (s *session) initialize(m rpc.Message) rpc.Answer {
	s.version = negotiated(*asked(m))
	result, err := s.server.greet(s.version)
	return func(context.Context) (rpc.JSON, *rpc.Error, bool) {
		if err != nil {
			return nil, rpc.Failed(err.Error()), false
		}
		return result, nil, false
	}
}

// acceptable reports whether an initialize request is one that the SDK would
// accept, too. It is to refuse the others itself.
func acceptable(m rpc.Message) bool {
	var params struct {
		Capabilities map[string]map[string]json.RawMessage `json:"capabilities"`
		ClientInfo   struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"clientInfo"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	err := json.Unmarshal(object(m.Params), &params)
	return err == nil && params.Meta[mcp.MetaKeyProtocolVersion] == nil
}

// asked is the version that an initialize request asks for, nil where it names
// none.
func asked(m rpc.Message) *string {
	var params struct {
		ProtocolVersion *string `json:"protocolVersion"`
	}
	if json.Unmarshal(object(m.Params), &params) != nil {
		return nil
	}
	return params.ProtocolVersion
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
	s.wake()
	switch m.Method {
	case "notifications/cancelled":
		s.pipe.cancel(m.Params)
	case "notifications/initialized":
		s.initialized.Do(func() { s.pipe.notify(m.Method, object(m.Params)) })
	}
}

// Release implements [rpc.Session].
func (s *session) Release() { s.pipe.release() }

// Close implements [rpc.Session].
func (s *session) Close() {
	s.pipe.Close()
	if s.sdk == nil {
		return
	}
	_ = s.sdk.Wait() // what it says is that the pipe is closed
}
