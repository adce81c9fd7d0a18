package mcp

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// TestGreetingIsTheSDKs: what initialize is answered before the SDK is awake is
// what the SDK would have answered, byte for byte.
func TestGreetingIsTheSDKs(t *testing.T) {
	t.Parallel()
	versions := append(mcp.SupportedProtocolVersions(), "", "1999-01-01", "2025-06-19", "2099-12-31", "latest")
	for _, tools := range []ToolChoice{DefaultTools, AllTools, NoTools} {
		for _, version := range versions {
			y := newToy(t)
			y.tools = tools
			server := y.protocol()
			params, err := json.Marshal(map[string]any{"protocolVersion": version, "capabilities": struct{}{}})
			if err != nil {
				t.Fatal(err)
			}
			m := rpc.Message{ID: json.RawMessage("1"), Method: "initialize", Params: params}
			s, err := server.Open(func(rpc.JSON) {})
			if err != nil {
				t.Fatal(err)
			}
			got, _, _ := s.Start(m)(t.Context())
			s.Close()

			awake := newConversation(server, func(rpc.JSON) {})
			want, failure, _ := awake.start(m)(t.Context())
			awake.close()
			if failure != nil || string(got.Bytes()) != string(want.Bytes()) {
				t.Errorf("%q, %s tools: answered\n%s\nthe SDK says\n%s %v", version, tools, got.Bytes(), want.Bytes(), failure)
			}
		}
	}
}
