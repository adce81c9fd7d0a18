package tools_test

import (
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
)

// fixture is the toolset with a vault and its log.
type fixture struct {
	dir      string
	vault    *vault.Vault
	index    *vectors.Index
	registry *rpc.Registry
	log      *logged
}

// logged is a log that is safe for concurrent use.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newFixture(t testing.TB, dir string) *fixture {
	t.Helper()
	f := &fixture{dir: dir, log: &logged{}}
	logger := slog.New(slog.NewTextHandler(f.log, nil))
	f.vault = vault.New(dir, logger)
	t.Cleanup(func() { _ = f.vault.Close() })
	f.registry = rpc.NewRegistry(logger, time.Now)
	w := &writing.Writer{Folder: dir, State: t.TempDir(), Vault: f.vault, Log: logger}
	f.index = vectors.New(vectors.Config{Embedder: sample.NewEmbedder(""), Documents: f.vault.Documents, Name: "notes", Log: logger})
	if err := f.registry.Add(tools.New(tools.Config{Vault: f.vault, Writer: w, Vectors: f.index, Log: logger})); err != nil {
		t.Fatal(err)
	}
	return f
}

// call returns the result, or the data of the error.
func (f *fixture) call(t testing.TB, tool, params string) string {
	t.Helper()
	return rpctest.Call(t, f.registry, "notes/"+tool, params)
}

func sampleVault(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, sample.Files()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestExamples checks that the tools return the contract's examples for the sample
// vault, and that the results fit their schemas.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, m := range newFixture(t, t.TempDir()).registry.Methods() {
		for _, example := range m.Schema().Examples() {
			t.Run(m.ToolName()+"/"+example.Name, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, sampleVault(t))
				if err := f.index.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				got := f.call(t, m.ToolName(), string(example.Params))
				rpctest.HoldExample(t, m, example, got)
				overMCP := newFixture(t, sampleVault(t))
				if err := overMCP.index.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if text, _ := overMCP.agent(t).call(t, m.ToolName(), rpctest.Compact(t, example.Params)); text != got {
					t.Errorf("over MCP: got %s\nbare: %s", text, got)
				}
			})
		}
	}
}
