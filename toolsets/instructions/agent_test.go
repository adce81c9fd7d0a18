package instructions_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/server"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/toolsets/instructions"
)

// agent is a client that uses a catalog through the tools and texts made for models.
type agent struct {
	*instructions.Toolset
	t      testing.TB
	server *stdio.Server
}

// newAgent returns an agent for the catalog in a folder.
func newAgent(t testing.TB, dir string, skills instructions.SkillChoice) *agent {
	t.Helper()
	now := func() time.Time { return start }
	toolset := instructions.New(instructions.Config{Dir: dir, Criteria: builtIn, Now: now, Skills: skills})
	log := slog.New(slog.DiscardHandler)
	registry, err := server.NewRegistry(server.Config{Version: "0.0.0", Contract: instructions.Contract(), Log: log, Now: now}, toolset.Toolset())
	if err != nil {
		t.Fatal(err)
	}
	protocol, err := mcp.New(mcp.Config{Registry: registry, Name: "catalog", Version: "0.0.0", Tools: mcp.DefaultTools, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return &agent{toolset, t, &stdio.Server{Registry: registry, Protocol: protocol, Log: log, MaxLine: stdio.DefaultMaxLine, Grace: time.Minute}}
}

// ask sends an MCP request and returns the line of the answer.
func (a *agent) ask(method, params string) string {
	a.t.Helper()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		params += ","
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta)
	var out strings.Builder
	if err := a.server.Serve(a.t.Context(), strings.NewReader(line+"\n"), &out); err != nil {
		a.t.Fatal(err)
	}
	return out.String()
}

// answer holds the members of a tool call's answer that the tests check.
type answer struct {
	text       string
	structured json.RawMessage
	size       int // of the line, in bytes
}

// use calls a tool.
func (a *agent) use(tool, arguments string) answer {
	a.t.Helper()
	line := a.ask("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
	var response struct {
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(line), &response); err != nil || len(response.Result.Content) != 1 || response.Result.IsError {
		a.t.Fatalf("%s %s: %v: %s", tool, arguments, err, line)
	}
	return answer{response.Result.Content[0].Text, response.Result.StructuredContent, len(line)}
}

// jsonText returns text as a JSON string.
func jsonText(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // encoding a string cannot fail
	}
	return string(encoded)
}
