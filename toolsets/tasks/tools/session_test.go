package tools_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/tools"
)

// session is a client connected by a pipe to a server with the toolset.
type session struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	log *bytes.Buffer
	n   int
}

// start serves a store. user is the user of the server, or "" for none.
func start(t *testing.T, store tasks.Store, user string) *session {
	t.Helper()
	return startWith(t, store, user, func(*rpc.Toolset) {})
}

// startWith is like start, with changes to the toolset.
func startWith(t *testing.T, store tasks.Store, user string, change func(*rpc.Toolset)) *session {
	t.Helper()
	s := &session{t: t, log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	registry := rpc.NewRegistry(log, time.Now)
	toolset := tools.New(tools.Config{Store: store, Authenticated: user != "", Log: log})
	change(&toolset)
	if err := registry.Add(toolset); err != nil {
		t.Fatal(err)
	}
	protocol, err := mcp.New(mcp.Config{Registry: registry, Name: "test", Version: "1", Tools: mcp.DefaultTools, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	s.in, s.out = client, bufio.NewReader(answers)
	done := make(chan error, 1)
	go func() {
		server := &stdio.Server{Registry: registry, Protocol: protocol, User: user, Log: log, MaxLine: 1 << 20, Grace: time.Minute}
		done <- server.Serve(context.Background(), in, out)
	}()
	t.Cleanup(func() {
		client.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// answer is a response.
type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// ask sends a request and returns the response. params may be "" for none.
func (s *session) ask(method, params string) answer {
	s.t.Helper()
	s.n++
	if params != "" {
		params = `,"params":` + params
	}
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q%s}`+"\n", s.n, method, params); err != nil {
		s.t.Fatal(err)
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	return a
}

// initialize starts an MCP session.
func (s *session) initialize() {
	s.t.Helper()
	a := s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if a.Error != nil {
		s.t.Fatal(a.Error.Message)
	}
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// said is the outcome of a tool call, over either protocol.
type said struct {
	value  string // the result, or the error in the form of the specification
	failed bool
}

// caller is a function that calls a tool. arguments may be "" for none.
type caller func(tool, arguments string) said

// bare calls the method directly and checks the error code.
func (s *session) bare(tool, arguments string) said {
	s.t.Helper()
	a := s.ask("tasks/"+tool, arguments)
	if a.Error == nil {
		return said{string(a.Result), false}
	}
	var shape struct {
		Error string
		ID    *json.Number `json:"task_id"`
	}
	if err := json.Unmarshal(a.Error.Data, &shape); err != nil || shape.Error != a.Error.Message {
		s.t.Errorf("%s %s: the message %q is not that of the data %s", tool, arguments, a.Error.Message, a.Error.Data)
	}
	want := -32602
	switch {
	case shape.ID != nil:
		want = -32001
	case len(shape.Error) > 7 && shape.Error[:7] == "Failed ":
		want = -32003
	}
	if a.Error.Code != want {
		s.t.Errorf("%s %s: code %d for %s, want %d", tool, arguments, a.Error.Code, a.Error.Data, want)
	}
	return said{string(a.Error.Data), true}
}

// mcp calls a tool over MCP and checks that text and structured content are the same
// value.
func (s *session) mcp(tool, arguments string) said {
	s.t.Helper()
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	a := s.ask("tools/call", fmt.Sprintf(`{"name":%q%s}`, tool, arguments))
	if a.Error != nil {
		s.t.Fatalf("%s %s: an error of the protocol: %s", tool, arguments, a.Error.Message)
	}
	var result struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(a.Result, &result); err != nil || len(result.Content) != 1 || result.Content[0].Type != "text" {
		s.t.Fatalf("%s %s: %s", tool, arguments, a.Result)
	}
	text := result.Content[0].Text
	structured := string(result.StructuredContent)
	if tool == "list_tasks" && !result.IsError {
		text = `{"result":` + text + `}`
	}
	if !sameJSON(s.t, text, structured) {
		s.t.Errorf("%s %s: the text is %s, the structured content %s", tool, arguments, text, structured)
	}
	return said{result.Content[0].Text, result.IsError}
}

// sameJSON compares two JSON texts by value, since escapes may differ.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
