package mcp

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// The answer to initialize is what a host waits for when it starts, so it is
// given before the SDK, with its hundreds of types, has been woken. The SDK is
// told of the handshake when the next message comes, and a test holds this
// answer against its own.

// greeting is the result of initialize. Its members stand as the SDK writes
// them.
type greeting struct {
	Capabilities    json.RawMessage `json:"capabilities"`
	Instructions    string          `json:"instructions,omitempty"`
	ProtocolVersion string          `json:"protocolVersion"`
	ServerInfo      serverInfo      `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

func (s *Server) greet(version string) (rpc.JSON, error) {
	return rpc.Encode(greeting{
		Capabilities:    s.abilities(),
		Instructions:    s.config.Instructions,
		ProtocolVersion: version,
		ServerInfo:      serverInfo{s.config.Name, s.config.Title, s.config.Version},
	})
}

// abilities is what [Server.capabilities] says, as JSON.
func (s *Server) abilities() json.RawMessage {
	text := `{"extensions":{"` + skillsExtension + `":{}},"completions":{},"logging":{},"prompts":{},"resources":{"subscribe":true}`
	if s.config.Tools != NoTools {
		text += `,"tools":{}`
	}
	return json.RawMessage(text + "}")
}

// negotiated is the version of a session whose client asks for this one: the
// same, if it is one that has sessions, else the newest that has.
func negotiated(version string) string {
	var withSessions []string
	for _, v := range mcp.SupportedProtocolVersions() { // newest first
		if v < stateless {
			withSessions = append(withSessions, v)
		}
	}
	if slices.Contains(withSessions, version) {
		return version
	}
	return withSessions[0]
}

// introduction is the initialize request that the SDK is given for one that has
// been answered. It has no use for the rest of the client's params.
func introduction(version string) rpc.Message {
	params, _ := json.Marshal(map[string]any{"protocolVersion": version, "capabilities": struct{}{}})
	return rpc.Message{ID: json.RawMessage("0"), Method: "initialize", Params: params}
}
