package main

import (
	"bufio"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// eras are the protocol versions that clients may use.
var eras = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// TestGoClient runs a conversation of the official Go client with the built program
// over a pipe, in each protocol version. The same session calls bare methods. The
// JavaScript clients have the same conversation in .ci/mcp.
func TestGoClient(t *testing.T) {
	t.Parallel()
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cmd := served(t)
			c := connect(t, version, &mcp.CommandTransport{Command: cmd, TerminateDuration: guard})
			c.converse(t)
			t.Run("bare methods", c.bareMethodsWork)
			if err := c.Close(); err != nil { // at the end of the pipe the program exits
				t.Errorf("close: %v", err)
			}
			if code := cmd.ProcessState.ExitCode(); code != exitClean {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestGoClientHTTP runs the conversation over HTTP, which has no bare methods. Sessions
// of all versions share one server.
func TestGoClientHTTP(t *testing.T) {
	t.Parallel()
	needSignals(t)
	cmd := served(t, "--http", "127.0.0.1:0")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(log)
	lines.Scan()
	url, ok := strings.CutPrefix(lines.Text(), "listening on ")
	if !ok {
		t.Fatalf("the program says %q", lines.Text())
	}
	for _, version := range eras[1:] { // the first version had another HTTP transport
		t.Run(version, func(t *testing.T) {
			c := connect(t, version, &mcp.StreamableClientTransport{Endpoint: url})
			c.converse(t)
			if err := c.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told := 0 // size of the tools; logged once for all sessions
	for lines.Scan() {
		if told++; told > 1 || !strings.Contains(lines.Text(), "tools/list was answered") {
			t.Errorf("the program says %q", lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// served returns a command that serves every method as a tool. It is not started.
func served(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(build(t)),
		append([]string{"serve", "--dir", clientsCatalog(t), "--tools", "all"}, args...)...)
	cmd.Dir = t.TempDir()
	return cmd
}

// mcpClient is a session of the official client with the built program.
type mcpClient struct {
	*mcp.ClientSession
	progress chan *mcp.ProgressNotificationParams
}

func connect(t *testing.T, version string, transport mcp.Transport) *mcpClient {
	t.Helper()
	c := &mcpClient{progress: make(chan *mcp.ProgressNotificationParams, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { c.progress <- req.Params },
	})
	for _, err := range []error{
		mcp.AddSendingCustomMethod[*healthParams, *healthResult](client, "health/check"),
		mcp.AddSendingCustomMethod[*diffParams, *diffResult](client, "instructions/diff"),
		mcp.AddSendingCustomMethod[*skillsParams, *skillsResult](client, "skills/list"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("the session speaks %s", got)
	}
	c.ClientSession = session
	return c
}

// converse uses every feature of the protocol that the program offers.
func (c *mcpClient) converse(t *testing.T) {
	t.Run("tools", c.toolsWork)
	t.Run("resources", c.resourcesWork)
	t.Run("prompts", c.promptsWork)
	t.Run("skills", c.skillsWork)
	t.Run("progress", c.progressIsTold)
}

// clientsCatalog returns the catalog of all client tests: a rule, advice, and a skill.
func clientsCatalog(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".ci", "mcp", "catalog"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (c *mcpClient) toolsWork(t *testing.T) {
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) bool {
		return slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == name })
	}
	for _, name := range []string{"instructions_search", "instructions_get", "instructions_list", "prompt_review", "usage_track"} {
		if !named(name) {
			t.Errorf("there is no tool %s", name)
		}
	}
	tests := []struct {
		tool      string
		arguments map[string]any
		failed    bool
		text      string // within the answer
	}{
		{"instructions_search", map[string]any{"q": "secret"}, false, "- secrets [critical]"},
		{"instructions_get", map[string]any{"id": "secrets"}, false, "Never commit a password"},
		{"instructions_get", map[string]any{"id": 7}, true, "id: must be a string"},
		{"usage_track", map[string]any{"id": "secrets"}, false, "secrets"},
		{"integrity_verify", nil, false, `"issueCount"`},
	}
	for _, tt := range tests {
		result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
		if err != nil {
			t.Errorf("%s: %v", tt.tool, err)
			continue
		}
		if text := textOf(result.Content); result.IsError != tt.failed || !strings.Contains(text, tt.text) {
			t.Errorf("%s %v: failed is %t, answer %.300q, want %q in it", tt.tool, tt.arguments, result.IsError, text, tt.text)
		}
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "nonesuch"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("an unknown tool is answered with the error %v", err)
	}
}

func textOf(contents []mcp.Content) string {
	var text strings.Builder
	for _, content := range contents {
		if c, ok := content.(*mcp.TextContent); ok {
			text.WriteString(c.Text)
		}
	}
	return text.String()
}

const secretsURI = "instruction://secrets"

func (c *mcpClient) resourcesWork(t *testing.T) {
	var uris []string
	for r, err := range c.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URI)
	}
	if !slices.Contains(uris, "instruction://index") || !slices.Contains(uris, secretsURI) {
		t.Errorf("the resources are %q", uris)
	}
	for _, uri := range uris {
		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(read.Contents) != 1 || read.Contents[0].Text == "" {
			t.Errorf("%s holds %v (%v)", uri, read, err)
		}
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "instruction://nonesuch"}); err == nil {
		t.Error("a resource that is not there can be read")
	}
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: secretsURI}); err != nil {
		t.Errorf("subscribe: %v", err)
	}
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: secretsURI}); err != nil {
		t.Errorf("unsubscribe: %v", err)
	}
	c.idsComplete(t)
}

// idsComplete finds the template of the instructions and requests completions of an id.
func (c *mcpClient) idsComplete(t *testing.T) {
	t.Helper()
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const template = "instruction://{id}"
	if !slices.ContainsFunc(templates.ResourceTemplates, func(r *mcp.ResourceTemplate) bool { return r.URITemplate == template }) {
		t.Errorf("there is no template %s", template)
	}
	completed, err := c.Complete(t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: template},
		Argument: mcp.CompleteParamsArgument{Name: "id", Value: "sec"},
	})
	if err != nil || !slices.Equal(completed.Completion.Values, []string{"secrets"}) {
		t.Errorf("sec is completed to %v (%v)", completed, err)
	}
}

func (c *mcpClient) promptsWork(t *testing.T) {
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 2 {
		t.Errorf("the prompts are %v (%v)", list, err)
	}
	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "instructions", Arguments: map[string]string{"category": "security"}})
	if err != nil || len(prompt.Messages) != 1 {
		t.Fatalf("the prompt is %v (%v)", prompt, err)
	}
	if text := textOf([]mcp.Content{prompt.Messages[0].Content}); !strings.Contains(text, "Never commit a password") {
		t.Errorf("the prompt is %.300q", text)
	}
}

type skillsParams struct{ mcp.ParamsBase }

type skillsResult struct {
	mcp.ResultBase
	Skills []struct {
		URI       string `json:"uri"`
		Resources []struct {
			Digest string `json:"digest"`
		} `json:"resources"`
	} `json:"skills"`
}

func (c *mcpClient) skillsWork(t *testing.T) {
	list, err := mcp.CallCustomMethod[*skillsParams, *skillsResult](t.Context(), c.ClientSession, "skills/list", &skillsParams{})
	if err != nil || len(list.Skills) == 0 {
		t.Fatalf("the skills are %v (%v)", list, err)
	}
	for _, skill := range list.Skills {
		if len(skill.Resources) != 1 || !strings.HasPrefix(skill.Resources[0].Digest, "sha256:") {
			t.Errorf("%s: the files are %v", skill.URI, skill.Resources)
		}
		if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: skill.URI}); err != nil {
			t.Errorf("%s: %v", skill.URI, err)
		}
	}
}

// progressIsTold calls a slow method that reports progress, and then one that the
// client cancels at once. The session continues in both cases.
func (c *mcpClient) progressIsTold(t *testing.T) {
	params := &mcp.CallToolParams{Name: "integrity_verify"}
	params.SetProgressToken("the token")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	if told := <-c.progress; told.ProgressToken != "the token" || told.Total == 0 {
		t.Errorf("the progress is %+v", told)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := c.CallTool(given, &mcp.CallToolParams{Name: "integrity_verify"}); err == nil {
		t.Error("a call that was given up has a result")
	}
}

type healthParams struct{ mcp.ParamsBase }

type healthResult struct {
	mcp.ResultBase
	Status  string `json:"status"`
	Version string `json:"version"`
}

type diffParams struct {
	mcp.ParamsBase
	Known []knownEntry `json:"known"`
}

type knownEntry struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

type diffResult struct {
	mcp.ResultBase
	Hash    string       `json:"hash"`
	Added   []knownEntry `json:"added"`
	Updated []knownEntry `json:"updated"`
	Removed []string     `json:"removed"`
}

func (c *mcpClient) bareMethodsWork(t *testing.T) {
	health, err := mcp.CallCustomMethod[*healthParams, *healthResult](t.Context(), c.ClientSession, "health/check", &healthParams{})
	if err != nil || health.Status != "ok" || health.Version == "" {
		t.Errorf("health/check: %+v (%v)", health, err)
	}
	diff, err := mcp.CallCustomMethod[*diffParams, *diffResult](t.Context(), c.ClientSession, "instructions/diff",
		&diffParams{Known: []knownEntry{{"secrets", strings.Repeat("0", 64)}, {"gone", strings.Repeat("0", 64)}}})
	if err != nil {
		t.Fatalf("instructions/diff: %v", err)
	}
	if len(diff.Hash) != 64 || len(diff.Added) == 0 || len(diff.Updated) != 1 || diff.Updated[0].ID != "secrets" || !slices.Equal(diff.Removed, []string{"gone"}) {
		t.Errorf("instructions/diff: %+v", diff)
	}
}
