package mcp

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// conversation is what one client and the SDK say to each other, either in the
// versions that begin with a handshake or in those without. A client may use
// both on one pipe, and the SDK would take the first request of the one for the
// handshake of the other: so each has a connection of its own.
type conversation struct {
	server  *Server
	pipe    *pipe
	sdk     *mcp.ServerSession // nil until it is needed
	version string             // what initialize was answered with; "" before
}

func newConversation(s *Server, send func(rpc.JSON)) *conversation {
	return &conversation{server: s, pipe: newPipe(send)}
}

// wake connects the SDK, if it is not, and tells it of the handshake.
func (c *conversation) wake() {
	if c.sdk != nil {
		return
	}
	c.sdk, _ = c.server.sdk.Connect(context.Background(), c.pipe, nil) // a pipe connects always
	if c.version != "" {
		c.pipe.wait(context.Background(), c.pipe.start(introduction(c.version)))
	}
}

// greets reports whether a request is one that [conversation.greet] may answer.
// The SDK is to refuse a handshake that comes twice, or is none.
func (c *conversation) greets(m rpc.Message) bool {
	return m.Method == "initialize" && c.sdk == nil && c.version == "" && acceptable(m)
}

// greet answers a handshake.
func (c *conversation) greet(m rpc.Message) rpc.PendingCall {
	c.version = negotiated(*asked(m))
	result, err := c.server.greet(c.version)
	return func(context.Context) (rpc.JSON, *rpc.Error, bool) {
		if err != nil {
			return nil, rpc.Failed(err.Error()), false
		}
		return result, nil, false
	}
}

// start hands the SDK a request.
func (c *conversation) start(m rpc.Message) rpc.PendingCall {
	c.wake()
	x := c.pipe.start(m)
	return func(ctx context.Context) (rpc.JSON, *rpc.Error, bool) {
		a := c.pipe.wait(ctx, x)
		return a.result, a.failure, a.silent
	}
}

func (c *conversation) close() {
	_ = c.pipe.Close()
	if c.sdk != nil {
		_ = c.sdk.Wait() // what it says is that the pipe is closed
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

// isStateless reports whether a request says that it is of a version without
// sessions.
func isStateless(m rpc.Message) bool {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var version string
	if json.Unmarshal(m.Params, &params) == nil {
		_ = json.Unmarshal(params.Meta[mcp.MetaKeyProtocolVersion], &version)
	}
	return version >= stateless
}
