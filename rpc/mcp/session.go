package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"instruction-catalog/rpc"
)

// claimed contains the methods of MCP by the part before the first slash, or by the whole
// name if it has no slash.
var claimed = map[string]bool{
	"initialize": true, "ping": true, "notifications": true, "server": true, "tools": true, "resources": true,
	"prompts": true, "completion": true, "logging": true, "subscriptions": true, "skills": true,
}

// Claims implements [rpc.Protocol].
func (s *Server) Claims(method string) bool {
	family, _, _ := strings.Cut(method, "/")
	return claimed[family]
}

// conflict returns an error if a registered method has a name that belongs to MCP.
func conflict(registry *rpc.Registry) error {
	for _, m := range registry.Methods() {
		if (*Server)(nil).Claims(m.Name) {
			return fmt.Errorf("toolset %s: method %q: MCP needs this name", m.Toolset().Name, m.Name)
		}
	}
	return nil
}

// Cancels implements [rpc.Protocol].
func (s *Server) Cancels(m rpc.Message) json.RawMessage {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if m.Method != cancelled || json.Unmarshal(object(m.Params), &params) != nil {
		return nil
	}
	return params.RequestID
}

// Open implements [rpc.Protocol].
func (s *Server) Open(ctx context.Context, send func(rpc.JSON)) (rpc.Session, error) {
	user := rpc.CallerOf(ctx).User
	return &session{server: s, sessions: newPipe(s.sdk, user, send), stateless: newPipe(s.sdk, user, send)}, nil
}

// maxListening is the maximum number of open subscriptions/listen requests of a client.
const maxListening = 64

// session is the session of one client on a pipe. The client may use versions with and
// without sessions on the same connection. The SDK would mistake the first request of a
// version without sessions for the handshake of one with sessions, so each kind of version
// has its own pipe to the SDK.
type session struct {
	server    *Server
	sessions  *pipe // for the versions with sessions
	stateless *pipe // for the versions without sessions

	initialized sync.Once // for passing on notifications/initialized once
}

// Start implements [rpc.Session].
func (s *session) Start(ctx context.Context, m rpc.Message) rpc.PendingCall {
	pending := rpc.PendingCall{Lane: rpc.Inline}
	switch m.Method {
	case listen:
		pending.Lane = rpc.Open
	case "tools/call":
		if method := s.server.called(m.Params); method != nil {
			pending.Lane, pending.Toolset, pending.Reads = method.Lane, method.Toolset(), method.Effect == rpc.Reads
		}
	}
	pending.Wait = s.start(ctx, m, pending.Lane)
	return pending
}

// wait is the type of [rpc.PendingCall].Wait.
type wait = func(context.Context) (rpc.JSON, *rpc.Error, bool)

func (s *session) start(ctx context.Context, m rpc.Message, lane rpc.Lane) wait {
	if failure := check(m); failure != nil {
		return refused(failure)
	}
	p := s.sessions
	if isStateless(m) {
		p = s.stateless
	} else if needsSession(m.Method) && !p.initialized() {
		return refused(errNoSession)
	}
	if failure := checkTypes(m); failure != nil {
		return refused(failure)
	}
	if lane == rpc.Open {
		return s.listen(ctx, p, m)
	}
	return p.start(ctx, m, lane)
}

func (s *session) listen(ctx context.Context, p *pipe, m rpc.Message) wait {
	if s.sessions.listening()+s.stateless.listening() >= maxListening {
		return refused(invalidRequest("%d subscriptions are open: cancel one first", maxListening))
	}
	return p.start(ctx, m, rpc.Open)
}

// refused returns a wait function that returns the failure.
func refused(failure *rpc.Error) wait {
	return func(context.Context) (rpc.JSON, *rpc.Error, bool) { return nil, failure, false }
}

// Notify implements [rpc.Session]. The SDK queues notifications without a limit, so Notify
// passes on only cancellations of calls that are under way, and notifications/initialized
// once.
func (s *session) Notify(m rpc.Message) {
	switch m.Method {
	case cancelled:
		if id, ok := cancels(m.Params); ok {
			s.sessions.cancel(id)
			s.stateless.cancel(id)
		}
	case initialized:
		s.initialized.Do(func() { s.sessions.notify(m.Method, json.RawMessage("{}")) })
	}
}

// Release implements [rpc.Session].
func (s *session) Release() {
	s.sessions.release()
	s.stateless.release()
}

// Close implements [rpc.Session].
func (s *session) Close() {
	s.sessions.end()
	s.stateless.end()
}

// Bare implements [rpc.Protocol]. Clients may add _meta to calls of the registry's methods.
// In version 2026-07-28 they always do, and accept only results with a resultType.
func (s *Server) Bare(params json.RawMessage) (json.RawMessage, func(rpc.JSON) rpc.JSON) {
	var members map[string]json.RawMessage
	// The search string begins with an underscore, not a quote, because long params contain
	// many quotes but few underscores.
	if !bytes.Contains(params, []byte(`_meta"`)) || json.Unmarshal(params, &members) != nil || members["_meta"] == nil {
		return params, unchanged
	}
	var meta struct {
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	}
	wrong := json.Unmarshal(members["_meta"], &meta)
	delete(members, "_meta")
	rest, err := json.Marshal(members)
	switch {
	case err != nil:
		return params, unchanged
	case wrong != nil || meta.Version < stateless:
		return rest, unchanged
	}
	return rest, complete
}

func unchanged(result rpc.JSON) rpc.JSON { return result }

// complete adds the resultType to a result that is an object. It returns any other result
// unchanged.
func complete(result rpc.JSON) rpc.JSON {
	const open = `{"resultType":"complete"`
	if len(result) == 0 || len(result[0]) == 0 || result[0][0] != '{' {
		return result
	}
	if result.Len() == len("{}") {
		return rpc.JSON{[]byte(open + "}")}
	}
	return append(rpc.JSON{[]byte(open + ","), result[0][1:]}, result[1:]...)
}
