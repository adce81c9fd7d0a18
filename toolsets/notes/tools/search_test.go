package tools_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/embed"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/vectors"
)

// searching is the toolset on a vault with an embedder behind HTTP, followed in the
// background.
type searching struct {
	fixture
	embedder *sample.Embedder
	server   *httptest.Server
}

func startSearching(t *testing.T, dir, state string, e *sample.Embedder) *searching {
	t.Helper()
	s := &searching{embedder: e, server: httptest.NewServer(e)}
	t.Cleanup(s.server.Close)
	client, err := embed.Open(s.server.URL+"/v1#model", "")
	if err != nil {
		t.Fatal(err)
	}
	s.log = &logged{}
	logger := slog.New(slog.NewTextHandler(s.log, nil))
	s.vault = vault.New(dir, logger)
	s.index = vectors.New(vectors.Config{Embedder: named{client, "fake"}, Notes: s.vault.Snapshot, Folder: state, Vault: dir, Log: logger})
	s.registry = rpc.NewRegistry(rpc.Info{}, logger, time.Now)
	if err := s.registry.Add(tools.New(tools.Config{Vault: s.vault, Vectors: s.index, Log: logger})); err != nil {
		t.Fatal(err)
	}
	if err := s.registry.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.registry.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// named is an embedder at an address that is another one in each test.
type named struct {
	embed.Embedder
	identity string
}

func (n named) Identity() string { return n.identity }

// first returns the id of the note that is found first.
func (s *searching) first(t *testing.T, query string) string {
	t.Helper()
	params, err := json.Marshal(map[string]any{"query": query, "limit": 1})
	if err != nil {
		t.Fatal(err)
	}
	var found []struct{ ID string }
	answer := s.call(t, "search", string(params))
	if err := json.Unmarshal([]byte(answer), &found); err != nil || len(found) == 0 {
		return answer
	}
	return found[0].ID
}

// until waits for a question to find a note first.
func (s *searching) until(t *testing.T, query, want string) {
	t.Helper()
	got := ""
	for range 600 {
		if got = s.first(t, query); got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%q finds %s first, want %s; the log:\n%s", query, got, want, s.log)
}

// What is there at the start, what comes later, what changes, moves and goes.
func TestSearchFollows(t *testing.T) {
	t.Parallel()
	dir, state := sampleVault(t), t.TempDir()
	s := startSearching(t, dir, state, sample.NewEmbedder(""))
	s.until(t, "saving facts", "notes/storeprovider.md")
	if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("Saving facts, saving information."), 0o600); err != nil {
		t.Fatal(err)
	}
	s.until(t, "durable data", "new.md")
	if err := os.Rename(filepath.Join(dir, "new.md"), filepath.Join(dir, "moved.md")); err != nil {
		t.Fatal(err)
	}
	s.until(t, "durable data", "moved.md")
	if err := os.Remove(filepath.Join(dir, "moved.md")); err != nil {
		t.Fatal(err)
	}
	s.until(t, "saving facts", "notes/storeprovider.md")
}

// Notes that did not change are embedded once, also by the next process.
func TestVectorsAreKept(t *testing.T) {
	t.Parallel()
	dir, state := sampleVault(t), t.TempDir()
	e := sample.NewEmbedder("")
	s := startSearching(t, dir, state, e)
	s.until(t, "saving facts", "notes/storeprovider.md")
	if err := s.registry.Close(); err != nil {
		t.Fatal(err)
	}
	e.Texts.Store(0)
	s = startSearching(t, dir, state, e)
	if got := s.first(t, "saving facts"); got != "notes/storeprovider.md" || e.Texts.Load() != 1 {
		t.Errorf("the first question finds %s, with %d texts embedded", got, e.Texts.Load())
	}
}

// Whatever an embedder does wrong fails search alone, without its words, and search
// recovers when it does.
func TestEmbedderFails(t *testing.T) {
	t.Parallel()
	const secret = "backend's own words"
	reply := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, fault := range map[string]http.HandlerFunc{
		"status 500":        reply(500, secret),
		"status 401":        reply(401, `{"error":{"message":"`+secret+`"}}`),
		"no JSON":           reply(200, secret),
		"empty":             reply(200, ""),
		"cut":               reply(200, `{"data":[{"index":0,"embedding":[1,2`),
		"no vector":         reply(200, `{"data":[]}`),
		"too many vectors":  reply(200, `{"data":[{"embedding":[1]},{"embedding":[1]}]}`),
		"another length":    reply(200, `{"data":[{"index":0,"embedding":[1,2,3]}]}`),
		"no numbers":        reply(200, `{"data":[{"index":0,"embedding":[]}]}`),
		"NaN":               reply(200, `{"data":[{"index":0,"embedding":[NaN,1,1,1,1,1,1,1]}]}`),
		"NaN as a text":     reply(200, `{"data":[{"index":0,"embedding":["NaN",1,1,1,1,1,1,1]}]}`),
		"null":              reply(200, `{"data":[{"index":0,"embedding":[null,1,1,1,1,1,1,1]}]}`),
		"beyond all":        reply(200, `{"data":[{"index":0,"embedding":[1e999,1,1,1,1,1,1,1]}]}`),
		"base64":            reply(200, `{"data":[{"index":0,"embedding":"AACAPw=="}]}`),
		"another number":    reply(200, `{"data":[{"index":7,"embedding":[1,1,1,1,1,1,1,1]}]}`),
		"sent elsewhere":    http.RedirectHandler("http://127.0.0.1:1/"+secret, http.StatusTemporaryRedirect).ServeHTTP,
		"connection closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sampleVault(t)
			s := startSearching(t, dir, t.TempDir(), sample.NewEmbedder(""))
			s.until(t, "saving facts", "notes/storeprovider.md")
			s.embedder.Fault.Store(&fault)
			if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("Saving facts, saving information."), 0o600); err != nil {
				t.Fatal(err)
			}
			bare := s.call(t, "search", `{"query":"saving facts"}`)
			text, r := s.agent(t).call(t, "search", `{"query":"saving facts"}`)
			if !strings.Contains(bare, "PROVIDER_ERROR") || text != bare || !r.IsError || strings.Contains(bare, secret) {
				t.Errorf("a program got %s, an agent %s", bare, text)
			}
			if got := s.call(t, "search_text", `{"query":"persistence","limit":1}`); !strings.Contains(got, "storeprovider") {
				t.Errorf("search_text answers %s", got)
			}
			s.embedder.Fault.Store(nil)
			if got := s.first(t, "saving facts"); strings.Contains(got, "error") {
				t.Errorf("afterwards: %s", got)
			}
			s.until(t, "saving facts", "new.md")
			if strings.Contains(s.log.String(), secret) {
				t.Errorf("the log has what the embedder said:\n%s", s.log)
			}
		})
	}
}
