package tools_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/stdio"
)

// agent is an MCP client connected to a server by a pipe.
type agent struct {
	in  io.Writer
	out *bufio.Reader
}

// agent starts an MCP session with the toolset.
func (f *fixture) agent(t *testing.T) *agent {
	t.Helper()
	log := slog.New(slog.NewTextHandler(f.log, nil))
	protocol, err := mcp.New(mcp.Config{Registry: f.registry, Name: "test", Version: "1", Tools: mcp.DefaultTools, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		server := &stdio.Server{Registry: f.registry, Protocol: protocol, Log: log, MaxLine: 1 << 20, Grace: time.Minute}
		done <- server.Serve(context.Background(), in, out)
	}()
	t.Cleanup(func() {
		client.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	a := &agent{client, bufio.NewReader(answers)}
	a.ask(t, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	fmt.Fprintln(client, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (a *agent) ask(t *testing.T, method, params string) json.RawMessage {
	t.Helper()
	if _, err := fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params); err != nil {
		t.Fatal(err)
	}
	line, err := a.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result json.RawMessage
		Error  any
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return answer.Result
}

// toolResult is the result of a tool call.
type toolResult struct {
	Content           []struct{ Text string }
	StructuredContent any
	IsError           bool
	Meta              map[string]any `json:"_meta"`
}

// call calls a tool. It checks that the text is the encoded value and, if that is an
// object, that the structured content is the same.
func (a *agent) call(t *testing.T, tool, params string) (text string, r toolResult) {
	t.Helper()
	raw := a.ask(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, params))
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Content) != 1 {
		t.Fatalf("%s: %v", raw, err)
	}
	var value any
	if err := json.Unmarshal([]byte(r.Content[0].Text), &value); err != nil {
		t.Fatalf("the text is no JSON: %s", r.Content[0].Text)
	}
	if _, object := value.(map[string]any); !object {
		value = map[string]any{"result": value}
	}
	if !reflect.DeepEqual(value, r.StructuredContent) {
		t.Errorf("structured content is %v, the text says %v", r.StructuredContent, value)
	}
	return r.Content[0].Text, r
}
