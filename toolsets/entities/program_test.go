package entities_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// The tests in this file run the program as a process, as editors, agents and shells do.

var program string

func TestMain(m *testing.M) {
	os.Exit(withProgram(m))
}

// withProgram builds the program for the tests.
func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "entities")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "catalog.exe")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/catalog").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 2
	}
	return m.Run()
}

// run runs the program in an empty folder with the given environment.
func run(t *testing.T, stdin string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + dir, "XDG_STATE_HOME=" + dir, "TMPDIR=" + dir, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), errs.String(), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}

func startBackend(t *testing.T) (backend *fakebackend.Server, url string) {
	t.Helper()
	backend = fakebackend.New(fakebackend.Sample())
	server := httptest.NewServer(backend)
	t.Cleanup(server.Close)
	return backend, server.URL
}

// answers returns the server's answers by request id.
func answers(t *testing.T, stdout string) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{}
	for line := range strings.Lines(stdout) {
		var answer struct {
			ID            json.RawMessage
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all[string(answer.ID)] = append(answer.Result, answer.Error...)
	}
	return all
}

const handshake = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"tools","method":"tools/list"}
`

// TestExamplesOverThePipe runs every example of both contracts bare and over MCP on the
// same pipe. Both must return the value in the contract, and the backend must receive no
// requests other than those the calls need.
func TestExamplesOverThePipe(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			backend, url := startBackend(t)
			set := schemas.For("entities", version)
			input := bytes.NewBufferString(handshake)
			want := map[string]string{}
			for _, name := range set.Methods() {
				method, _ := set.Method(name)
				tool := strings.TrimPrefix(name, "entities/")
				for i, e := range method.Examples() {
					bare, mcp := fmt.Sprintf(`"bare %s %d"`, tool, i), fmt.Sprintf(`"mcp %s %d"`, tool, i)
					fmt.Fprintf(input, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", bare, name, rpctest.Compact(t, e.Params))
					fmt.Fprintf(input, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", mcp, tool, rpctest.Compact(t, e.Params))
					want[bare], want[mcp] = rpctest.Compact(t, e.Result), rpctest.Compact(t, e.Result)
				}
			}
			stdout, stderr, code := run(t, input.String(), []string{"CATALOG_ENTITIES=" + url}, "serve", "--toolsets", "entities", "--entities-contract", version)
			got := answers(t, stdout)
			for id, result := range want {
				checkAnswer(t, id, got[id], result)
			}
			onlyTools := strings.Count(stderr, "\n") == 1 && strings.Contains(stderr, "tools/list was answered")
			if code != 0 || !onlyTools || len(want) < 10 {
				t.Errorf("exit code %d after %d examples, the log says %s", code, len(want), stderr)
			}
			requests, _ := backend.Requests()
			for _, r := range requests {
				scoped := r.Header.Get("X-Project-Id") == fakebackend.DefaultProject
				if r.Method != "GET" || r.Header.Get("Cookie") != "" || scoped == (r.URL.Path == "/api/projects") {
					t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
				}
			}
			checkTools(t, got[`"tools"`], len(set.Methods()))
		})
	}
}

// checkAnswer checks a bare result, or both forms of a result over MCP.
func checkAnswer(t *testing.T, id string, got json.RawMessage, want string) {
	t.Helper()
	if strings.HasPrefix(id, `"bare`) {
		if string(got) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", id, got, want)
		}
		return
	}
	var result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(got, &result); err != nil || result.IsError || len(result.Content) != 1 {
		t.Fatalf("%s: %s %v", id, got, err)
	}
	if structured := rpctest.Compact(t, result.StructuredContent); structured != want || result.Content[0].Text != want {
		t.Errorf("%s: got\n%s\nand the text\n%s\nwant\n%s", id, structured, result.Content[0].Text, want)
	}
}

// checkTools checks that each tool is marked as reading and describes its params.
func checkTools(t *testing.T, list json.RawMessage, want int) {
	t.Helper()
	var tools struct {
		Tools []struct {
			Name        string
			Annotations struct{ ReadOnlyHint bool }
			InputSchema struct {
				AdditionalProperties any
				Properties           map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(list, &tools); err != nil || len(tools.Tools) != want {
		t.Fatalf("%d tools, want %d: %v", len(tools.Tools), want, err)
	}
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint || tool.InputSchema.AdditionalProperties != false {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		for name, property := range tool.InputSchema.Properties {
			if property.Description == "" {
				t.Errorf("%s: %s has no description", tool.Name, name)
			}
		}
	}
}

// TestErrorsOverThePipe checks that errors have the form of the contract: as data over
// the bare pipe, and with the same bytes as text and as structured content over MCP.
func TestErrorsOverThePipe(t *testing.T) {
	t.Parallel()
	known := fmt.Sprintf(`{"projectId":%q,"entityId":%q}`, fakebackend.DefaultProject, fakebackend.ID('e', 1))
	foreign := strings.Replace(known, fakebackend.ID('e', 1), fakebackend.ID('f', 1), 1)
	missing := strings.Replace(known, fakebackend.ID('e', 1), fakebackend.ID('f', 7), 1)
	for version, wants := range map[string][]string{
		"v1": {"VALIDATION_ERROR", "ENTITY_NOT_FOUND", "ENTITY_NOT_FOUND", "INTERNAL_ERROR"},
		"v2": {"BAD_REQUEST", "NOT_FOUND", "NOT_FOUND", "SERVER_ERROR"},
	} {
		backend, url := startBackend(t)
		backend.SetFault(func(w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, fakebackend.ID('e', 1)) && fakebackend.Reply(500, "text/html", "<html>secret")(w, r)
		})
		input := bytes.NewBufferString(handshake)
		for i, params := range []string{`{"projectId":7}`, foreign, missing, known} {
			fmt.Fprintf(input, `{"jsonrpc":"2.0","id":"bare %d","method":"entities/get_entity","params":%s}`+"\n", i, params)
			fmt.Fprintf(input, `{"jsonrpc":"2.0","id":"mcp %d","method":"tools/call","params":{"name":"get_entity","arguments":%s}}`+"\n", i, params)
		}
		stdout, stderr, _ := run(t, input.String(), nil, "serve", "--entities", url, "--entities-contract", version, "--toolsets", "entities")
		got := answers(t, stdout)
		for i, want := range wants {
			checkError(t, got[fmt.Sprintf(`"bare %d"`, i)], got[fmt.Sprintf(`"mcp %d"`, i)], want)
		}
		if string(got[`"bare 1"`]) != string(got[`"bare 2"`]) || string(got[`"mcp 1"`]) != string(got[`"mcp 2"`]) {
			t.Errorf("%s: what is another project's differs from what is missing: %s, %s", version, got[`"bare 1"`], got[`"bare 2"`])
		}
		if strings.Contains(stdout, "secret") || strings.Count(stderr, "status 500") != 2 {
			t.Errorf("%s: the log says %s", version, stderr)
		}
	}
}

func checkError(t *testing.T, bare, mcp json.RawMessage, code string) {
	t.Helper()
	var failure struct {
		Message string
		Data    json.RawMessage
	}
	var result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := errors.Join(json.Unmarshal(bare, &failure), json.Unmarshal(mcp, &result)); err != nil || len(result.Content) != 1 {
		t.Fatalf("%s, %s: %v", bare, mcp, err)
	}
	shape := string(failure.Data)
	if !strings.HasPrefix(shape, `{"error":{"code":"`+code+`","message":"`) || !strings.Contains(shape, failure.Message) ||
		!result.IsError || rpctest.Compact(t, result.StructuredContent) != shape || result.Content[0].Text != shape {
		t.Errorf("want %s: bare %s, over MCP %s", code, bare, mcp)
	}
}

// TestCommandLine checks the command line: missing data is a finding, and an invalid
// configuration is reported at the start, without a request to the backend and without
// showing a password.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	backend, url := startBackend(t)
	missing := fmt.Sprintf(`{"projectId":%q,"entityId":%q}`, fakebackend.DefaultProject, fakebackend.ID('f', 1))
	withPassword := strings.Replace(url, "://", "://ann:secret@", 1)
	for _, tt := range []struct {
		args           []string
		code, requests int
		stdout, stderr string
	}{
		{[]string{"call", "--entities", withPassword, "entities/get_entity", missing}, 1, 1, "", "Entity not found in this project"},
		{[]string{"call", "--entities", url, "--entities-contract", "v1", "entities/get_entity_graph", missing}, 1, 1, "", "Entity not found in this project"},
		{[]string{"call", "--entities", url, "entities/list_projects", `{"limit":1}`}, 0, 1, `"total":2,"hasMore":true}}`, ""},
		{[]string{"call", "--entities", url, "--entities-contract", "v3", "entities/list_projects"}, 2, 0, "", `there is no contract "v3": give --entities-contract v1 or v2`},
		{[]string{"serve", "--entities", "http://ann:secret@", "--toolsets", "entities"}, 2, 0, "", "must begin with http:// or https:// and name a host"},
		{[]string{"serve", "--entities", "ftp://ann:secret@host"}, 2, 0, "", "must begin with http:// or https:// and name a host"},
		{[]string{"serve", "--entities", withPassword, "--toolsets", "entities"}, 0, 0, "", ""},
		{[]string{"schema", "--entities", url, "entities/list_quotable_blocks"}, 0, 0, "verifiedUntilBefore", ""},
		{[]string{"schema", "--entities", url, "--entities-contract", "v1"}, 0, 0, "entities/get_entity_graph", ""},
	} {
		stdout, stderr, code := run(t, "", nil, tt.args...)
		requests, _ := backend.Requests()
		if code != tt.code || len(requests) != tt.requests || !strings.Contains(stdout, tt.stdout) || tt.code > 0 && stdout != "" ||
			!strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" || strings.Contains(stderr, "secret") {
			t.Errorf("catalog %q: exit code %d, %d requests, prints %s, says %s", tt.args, code, len(requests), stdout, stderr)
		}
	}
	stdout, stderr, code := run(t, "", []string{"CATALOG_ENTITIES=" + url, "CATALOG_ENTITIES_CONTRACT=v1", "CATALOG_ENTITIES_TOKEN=abc"}, "call", "entities/list_projects")
	requests, _ := backend.Requests()
	if code != 0 || !strings.HasPrefix(stdout, `{"projects":[`) || len(requests) != 1 || requests[0].Header.Get("Authorization") != "Bearer abc" {
		t.Errorf("with variables: exit code %d, prints %s, says %s, asks %v", code, stdout, stderr, requests)
	}
}
