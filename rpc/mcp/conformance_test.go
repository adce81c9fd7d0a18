package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v4"

	"instruction-catalog/rpc/web"
)

// suite is where the official conformance suite is installed: the absolute path
// of the folder that holds node_modules, "" for nowhere. .ci/mcp/install puts it
// there.
func suite() string { return os.Getenv("MCP_CONFORMANCE") }

// TestConformance runs what the official suite requires of a server, in both
// eras, against the fixture over HTTP. Without the suite it only greets the
// fixture, so that this much is known on every machine.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			url := serveFixture(t)
			greet(t, url, revision)
			if suite() != "" {
				required(t, revision).hold(t, runSuite(t, url, revision))
			}
		})
	}
}

// greet connects as a client of a revision would and looks at what there is.
func greet(t *testing.T, url, revision string) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Errorf("the fixture speaks %s, want %s", got, revision)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resources, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) < 20 || len(prompts.Prompts) < 5 || len(resources.Resources) < 3 {
		t.Errorf("the fixture has only %d tools, %d prompts, %d resources", len(tools.Tools), len(prompts.Prompts), len(resources.Resources))
	}
}

// runSuite returns the folder with the results of the suite.
func runSuite(t *testing.T, url, revision string) string {
	t.Helper()
	results := t.TempDir()
	modules := filepath.Join(suite(), "node_modules")
	cmd := exec.CommandContext(t.Context(), filepath.Join(modules, "node", "bin", "node"),
		filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", url, "--requirements", revision, "--output-dir", results)
	cmd.Dir = results // it writes where it stands
	output, err := cmd.CombinedOutput()
	if err != nil {
		_, summary, ok := bytes.Cut(output, []byte("=== SUMMARY ==="))
		if !ok {
			summary = output
		}
		t.Errorf("the suite: %v\n%s", err, summary)
	}
	return results
}

// requirements are the scenarios of a revision.
type requirements struct {
	Scored    []string `yaml:"server"`
	NotScored []struct {
		Scenario, Leg, Reason string
	} `yaml:"not_scored"`
}

func required(t *testing.T, revision string) requirements {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(suite(), "node_modules", "@modelcontextprotocol", "conformance", "requirements", revision+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var r requirements
	if err := yaml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Scored) == 0 {
		t.Fatalf("%s requires no scenario of a server", revision)
	}
	return r
}

// hold fails the test unless each scored scenario was run and found nothing
// wrong. What is not scored is only told.
func (r requirements) hold(t *testing.T, results string) {
	t.Helper()
	passed, checks := 0, 0
	for _, scenario := range r.Scored {
		found := checksOf(t, results, scenario)
		wrong := found.wrong()
		for _, c := range wrong {
			t.Errorf("%s: %s: %s: %s", scenario, c.ID, c.Status, c.ErrorMessage)
		}
		if found.succeeded() == 0 {
			t.Errorf("%s: no check succeeded", scenario)
		} else if len(wrong) == 0 {
			passed++
		}
		checks += found.succeeded()
	}
	t.Logf("%d of %d scored scenarios passed, with %d checks", passed, len(r.Scored), checks)
	for _, n := range r.NotScored {
		if n.Leg == "server" {
			found := checksOf(t, results, n.Scenario)
			t.Logf("not scored (%s): %s: %d checks succeeded, %d did not", n.Reason, n.Scenario, found.succeeded(), len(found.wrong()))
		}
	}
}

// verdict is one finding of a scenario.
type verdict struct {
	ID, Status, ErrorMessage string
}

type findings []verdict

// checksOf reads what a scenario found, from server-SCENARIO-TIME/checks.json.
func checksOf(t *testing.T, results, scenario string) findings {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(results, "server-"+scenario+"-20*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Errorf("%s: results in %q (%v), want one file", scenario, files, err)
		return nil
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var found findings
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatalf("%s: %v", files[0], err)
	}
	return found
}

func (f findings) succeeded() int {
	n := 0
	for _, c := range f {
		if c.Status == "SUCCESS" {
			n++
		}
	}
	return n
}

// wrong returns the failures and the warnings.
func (f findings) wrong() findings {
	var w findings
	for _, c := range f {
		if c.Status == "FAILURE" || c.Status == "WARNING" {
			w = append(w, c)
		}
	}
	return w
}

// serveFixture serves the fixture as the program serves itself, and returns its
// address.
func serveFixture(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newFixture(t)
	endpoint := s.Handler()
	server := web.New(web.Config{
		MCP: endpoint, Drain: endpoint.Drain, Log: s.config.Log, Grace: time.Minute,
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return "http://" + listener.Addr().String() + web.MCPPath
}
