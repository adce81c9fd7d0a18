package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// offered returns the methods that are tools, by the tools' names.
func offered(registry *rpc.Registry, tools ToolChoice) map[string]*rpc.Method {
	methods := map[string]*rpc.Method{}
	for _, m := range registry.Methods() {
		if tools == AllTools || tools == DefaultTools && m.Tool.Default {
			methods[m.ToolName()] = m
		}
	}
	return methods
}

func (s *Server) addTools() {
	for name, m := range s.offered() {
		s.sdk.AddTool(&mcp.Tool{
			Name:         name,
			Title:        m.Title,
			Description:  m.Summary,
			Annotations:  annotations(m),
			InputSchema:  inputSchema(m),
			OutputSchema: outputSchema(m),
		}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.callTool(ctx, req, m)
		})
	}
}

// annotations are all said: one that is left out means something, too.
func annotations(m *rpc.Method) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{
		ReadOnlyHint:    m.Effect == rpc.Reads,
		DestructiveHint: new(m.Effect == rpc.Updates || m.Effect == rpc.Deletes),
		IdempotentHint:  m.Effect == rpc.Reads || m.Repeatable,
		OpenWorldHint:   new(false),
	}
}

// slow reports whether a tools/call is one of a slow method.
func (s *Server) slow(params json.RawMessage) bool {
	var call struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(object(params), &call) != nil {
		return false
	}
	m, ok := s.offered()[call.Name]
	return ok && m.Lane != rpc.Inline
}

// callTool calls a method for an agent. What is wrong with the arguments is a
// result that a model can act on, not an error of the protocol.
func (s *Server) callTool(ctx context.Context, req *mcp.CallToolRequest, m *rpc.Method) (*mcp.CallToolResult, error) {
	ctx = withProgress(ctx, req)
	params, limits := fill(object(req.Params.Arguments), m.Tool.Defaults)
	var answer *mcp.CallToolResult
	var unreadable error
	_, failure := s.config.Registry.CallFitting(ctx, m.Name, params, func(result rpc.JSON) json.RawMessage {
		answer, unreadable = rendered(m, params, result.Bytes())
		if unreadable != nil || m.Tool.Within == 0 || size(answer) <= m.Tool.Within {
			return nil
		}
		smaller, ok := limits.halved(params)
		if !ok {
			return nil
		}
		params = smaller
		return params
	})
	switch {
	case failure != nil:
		s.logFailure(ctx, req, m, failure)
		return refused(m, failure), nil
	case unreadable != nil:
		return nil, s.explain(req.Params.Name, unreadable)
	}
	return answer, nil
}

// rendered is the result of a method, for programs and for models.
func rendered(m *rpc.Method, params, result json.RawMessage) (*mcp.CallToolResult, error) {
	text := string(result)
	if m.Tool.Text != nil {
		var err error
		if text, err = m.Tool.Text(params, result); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: result,
	}, nil
}

// frame is about how much the rest of an answer takes, in bytes: the envelope,
// _meta with the server's name, the names of the members.
const frame = 300

// size is how many bytes an answer has on the wire.
func size(answer *mcp.CallToolResult) int {
	encoded, err := json.Marshal(answer)
	if err != nil {
		return 0 // it cannot be sent either, which the SDK will say
	}
	return len(encoded) + frame
}

// refused is the result of a call that failed.
func refused(m *rpc.Method, failure *rpc.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: advice(m, failure)}}, IsError: true}
}

// advice tells a model what to change.
func advice(m *rpc.Method, failure *rpc.Error) string {
	switch data := failure.Data.(type) {
	case rpc.ParamIssues:
		return fmt.Sprintf("The arguments of %s are not right. Change them and call again:\n- %s",
			m.ToolName(), strings.Join(data.Lines(), "\n- "))
	case rpc.Failure:
		return "The call failed: " + data.Message
	}
	return failure.Message
}
