package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// tokenOf returns the token of a user.
func tokenOf(user string) string { return "the token of " + user }

// serveTasks serves tasks over HTTP to the given users.
func serveTasks(t *testing.T, database string, users ...string) *httpServer {
	t.Helper()
	var lines strings.Builder
	for _, user := range users {
		fmt.Fprintf(&lines, "%s:%s\n", user, strings.ReplaceAll(tokenOf(user), " ", "-"))
	}
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := build(t).listen(t, "--tasks", database, "--token-file", file)
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: len(users)}
	return s
}

// post sends a user's message with further headers, and returns the status, the
// answer and its header.
func (s *httpServer) post(user, body string, header ...string) (int, string, http.Header) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/mcp", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	header = append(header, "Authorization: Bearer "+strings.ReplaceAll(tokenOf(user), " ", "-"),
		"Content-Type: application/json", "Accept: application/json, text/event-stream")
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Error(err)
		return 0, "", nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Error(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// tool calls a tool for a user and returns the structured content.
func (s *httpServer) tool(user, name, arguments string) string {
	s.t.Helper()
	status, text, _ := s.post(user, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, name, arguments),
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: "+name)
	if _, data, ok := strings.Cut(text, "data: "); ok {
		text = data
	}
	var answer struct {
		Result struct{ StructuredContent json.RawMessage }
	}
	if err := json.Unmarshal([]byte(text), &answer); status != http.StatusOK || err != nil {
		s.t.Errorf("%s of %s: %d %s", name, user, status, text)
	}
	return string(answer.Result.StructuredContent)
}

// TestTasksOverHTTP checks that each token identifies a user, who can neither see the
// tasks nor use the session of another.
func TestTasksOverHTTP(t *testing.T) {
	t.Parallel()
	s := serveTasks(t, filepath.Join(t.TempDir(), "tasks.db"), "ann", "bob")
	for _, call := range []struct{ user, tool, arguments, want string }{
		{"ann", "add_task", `{"title":"hers"}`, `{"task_id":1,"status":"created","title":"hers"}`},
		{"ann", "add_task", `{"title":"also hers","user_id":"ann"}`, `{"task_id":2,"status":"created","title":"also hers"}`},
		{"bob", "list_tasks", `{}`, `{"result":[]}`},
		{"bob", "complete_task", `{"task_id":1}`, `{"error":"Task not found","task_id":1}`},
		{"bob", "complete_task", `{"task_id":9}`, `{"error":"Task not found","task_id":9}`},
		{"ann", "delete_task", `{"task_id":2}`, `{"task_id":2,"status":"deleted","title":"also hers"}`},
		{"ann", "list_tasks", `{}`, `{"result":[{"id":1,"title":"hers","description":null,"completed":false}]}`},
	} {
		if got := s.tool(call.user, call.tool, call.arguments); got != call.want {
			t.Errorf("%s of %s %s\n got %s\nwant %s", call.tool, call.user, call.arguments, got, call.want)
		}
	}
	if got := s.tool("bob", "list_tasks", `{"user_id":"ann"}`); !strings.Contains(got, `"error":`) || !strings.Contains(got, "user_id") {
		t.Errorf("bob as ann: %s", got)
	}
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	status, text, header := s.post("ann", initialize)
	session := header.Get("Mcp-Session-Id")
	if status != http.StatusOK || session == "" {
		t.Fatalf("initialize: %d %s", status, text)
	}
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_tasks","arguments":{}}}`
	if _, text, _ := s.post("ann", list, "Mcp-Session-Id: "+session, "Mcp-Protocol-Version: 2025-11-25"); !strings.Contains(text, "hers") {
		t.Errorf("ann in her session: %s", text)
	}
	if status, text, _ := s.post("bob", list, "Mcp-Session-Id: "+session, "Mcp-Protocol-Version: 2025-11-25"); status < 400 || status > 499 || strings.Contains(text, "hers") {
		t.Errorf("bob in the session of ann: %d %s", status, text)
	}
}

// TestManyClientsOnPostgres has 200 concurrent clients share a pool of few connections.
func TestManyClientsOnPostgres(t *testing.T) {
	database := os.Getenv("CATALOG_TEST_POSTGRES")
	if database == "" {
		t.Skip("CATALOG_TEST_POSTGRES names no server: run the test with .ci/postgres")
	}
	const clients, rounds = 200, 5
	users := make([]string, clients)
	for i := range users {
		users[i] = fmt.Sprintf("user-%d-%d", time.Now().UnixNano(), i)
	}
	s := serveTasks(t, database, users...)
	s.tool(users[0], "delete_task", `{"task_id":1}`) // creates the schema
	var mu sync.Mutex
	var took []time.Duration
	var group sync.WaitGroup
	for _, user := range users {
		group.Go(func() {
			for range rounds {
				begun := time.Now()
				added := s.tool(user, "add_task", `{"title":"x"}`)
				mu.Lock()
				took = append(took, time.Since(begun))
				mu.Unlock()
				if !strings.Contains(added, `"created"`) {
					t.Errorf("%s: %s", user, added)
				}
			}
			if listed := s.tool(user, "list_tasks", `{}`); strings.Count(listed, `"completed"`) != rounds {
				t.Errorf("%s has %s", user, listed)
			}
		})
	}
	group.Wait()
	slices.SortFunc(took, func(a, b time.Duration) int { return cmp.Compare(a, b) })
	t.Logf("%d adds of %d clients: median %v, p95 %v", len(took), clients, took[len(took)/2], took[len(took)*95/100])
}
