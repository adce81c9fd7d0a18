package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// offered returns the methods that are offered as tools, by tool name.
func offered(registry *rpc.Registry, tools ToolChoice) map[string]*rpc.Method {
	methods := map[string]*rpc.Method{}
	for _, m := range registry.Methods() {
		if !m.Tool.Never && (tools == AllTools || tools != NoTools && m.Tool.Default) {
			methods[m.ToolName()] = m
		}
	}
	return methods
}

func (s *Server) addTools() {
	for name, m := range s.offered() {
		tool := &mcp.Tool{
			Name:        name,
			Title:       m.Title,
			Description: m.Summary,
			Annotations: annotations(m),
			InputSchema: inputSchema(m),
		}
		if !m.Tool.TextOnly && s.config.Tools != LeanTools {
			tool.OutputSchema = outputSchema(m)
		}
		s.sdk.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.callTool(ctx, req, m), nil
		})
	}
}

// annotations returns the annotations of a tool. It sets all of them, because a missing one
// has a default meaning.
func annotations(m *rpc.Method) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{
		ReadOnlyHint:    m.Effect == rpc.Reads,
		DestructiveHint: new(m.Effect == rpc.Updates && !m.Tool.Additive || m.Effect == rpc.Deletes),
		IdempotentHint:  m.Effect == rpc.Reads || m.Repeatable,
		OpenWorldHint:   new(false),
	}
}

// called returns the method that a tools/call calls, or nil if there is no such tool.
func (s *Server) called(params json.RawMessage) *rpc.Method {
	var call struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(object(params), &call) != nil {
		return nil
	}
	return s.offered()[call.Name]
}

// callTool calls a method for an agent. It returns an error as a result that a model can act
// on, not as a protocol error.
func (s *Server) callTool(ctx context.Context, req *mcp.CallToolRequest, m *rpc.Method) *mcp.CallToolResult {
	ctx = withProgress(ctx, req)
	answer, failure := s.config.Registry.CallTool(ctx, m, object(req.Params.Arguments))
	if failure != nil {
		s.logFailure(ctx, req, m, failure)
		return failed(m, failure)
	}
	result := textResult(answer.Text)
	if !m.Tool.TextOnly {
		result = toolResult(answer.Text, answer.Result.Bytes())
	}
	result.Meta = answer.Meta
	return result
}

// toolResult returns a result with a text for the model and the value as structured content.
// A value that is not an object is wrapped in {"result": …}.
func toolResult(text string, value json.RawMessage) *mcp.CallToolResult {
	if !bytes.HasPrefix(value, []byte("{")) {
		value = bytes.Join([][]byte{[]byte(`{"result":`), value, []byte("}")}, nil)
	}
	result := textResult(text)
	result.StructuredContent = value
	return result
}

func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// failed returns the result of a failed call. It contains the data of the failure if the
// toolset has an Errors function, otherwise advice.
func failed(m *rpc.Method, failure *rpc.Error) *mcp.CallToolResult {
	result := textResult(advice(m, failure))
	if m.Toolset().Errors != nil {
		if data, err := rpc.Encode(failure.Data); err == nil {
			result = toolResult(string(data.Bytes()), data.Bytes())
		}
	}
	result.IsError = true
	return result
}

// advice returns a text that tells a model what failed and what to change.
func advice(m *rpc.Method, failure *rpc.Error) string {
	switch data := failure.Data.(type) {
	case rpc.ParamIssues:
		return fmt.Sprintf("The arguments of %s are invalid. Correct them and call again:\n- %s",
			m.ToolName(), strings.Join(data.Lines(), "\n- "))
	case rpc.Failure:
		if failure.Code != rpc.InternalError {
			return fmt.Sprintf("The call failed (%d): %s", failure.Code, data.Message)
		}
		return "The call failed: " + data.Message
	}
	return failure.Message
}

// interval is the minimum time between progress notifications of a call, except for the last.
const interval = 100 * time.Millisecond

// withProgress returns a context that passes the progress of a call on to a client that
// requested it: the first and the last report, and at most one per interval in between. It
// drops reports that would decrease the progress, which may happen if several goroutines
// report.
func withProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	var mu sync.Mutex
	var told time.Time
	last := -1
	return rpc.WithProgress(ctx, func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); done > last && (done == total || now.Sub(told) >= interval) {
			told, last = now, done
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(done), Total: float64(total),
			})
		}
	})
}
