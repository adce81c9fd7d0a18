package tools_test

import (
	"context"
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

	"instruction-catalog/catalog/search/embed"
	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
)

// searching is the toolset with an embedder behind HTTP and a background update.
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
	s.index = vectors.New(vectors.Config{Embedder: named{client, "fake"}, Documents: s.vault.Documents, Name: "notes", Folder: state, Path: dir, Log: logger})
	s.registry = rpc.NewRegistry(logger, time.Now)
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

// named is an embedder whose identity differs in each test.
type named struct {
	embed.Embedder
	identity string
}

func (n named) Identity() string { return n.identity }

// first returns the id of the first note found.
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

// until waits until a query finds the given note first.
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

// TestSearchFollows checks that search follows notes that are added, changed, moved and
// deleted.
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

// TestVectorsAreKept checks that unchanged notes are embedded only once, even after a
// restart.
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

// TestEmbedderFails checks that a failing embedder affects only search, that errors do
// not contain its text, and that search recovers with it.
func TestEmbedderFails(t *testing.T) {
	t.Parallel()
	const secret = "backend's own words"
	reply := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	s := startSearching(t, sampleVault(t), t.TempDir(), sample.NewEmbedder(""))
	s.until(t, "saving facts", "notes/storeprovider.md")
	agent := s.agent(t)
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
		s.embedder.Fault.Store(&fault)
		bare := s.call(t, "search", `{"query":"saving facts"}`)
		text, r := agent.call(t, "search", `{"query":"saving facts"}`)
		if !strings.Contains(bare, "PROVIDER_ERROR") || text != bare || !r.IsError || strings.Contains(bare, secret) {
			t.Errorf("%s: a program got %s, an agent %s", name, bare, text)
		}
		if got := s.call(t, "search_text", `{"query":"persistence","limit":1}`); !strings.Contains(got, "storeprovider") {
			t.Errorf("%s: search_text answers %s", name, got)
		}
		s.embedder.Fault.Store(nil)
		if got := s.first(t, "saving facts"); got != "notes/storeprovider.md" {
			t.Errorf("%s: afterwards search finds %s", name, got)
		}
	}
	if strings.Contains(s.log.String(), secret) {
		t.Errorf("the log has what the embedder said:\n%s", s.log)
	}
}

// TestNotesCannotBeEmbedded checks that search fails if the embedder embeds queries but
// no notes. An empty list would mean that no note matches.
func TestNotesCannotBeEmbedded(t *testing.T) {
	t.Parallel()
	e := sample.NewEmbedder("")
	questionsOnly := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"saving facts"`) {
			w.WriteHeader(500)
			return
		}
		_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0,0,0,0,0,0,0]}]}`)
	}
	e.Fault.Store((*http.HandlerFunc)(&questionsOnly))
	s := startSearching(t, sampleVault(t), t.TempDir(), e)
	s.logs(t, "cannot be embedded")
	if got := s.call(t, "search", `{"query":"saving facts"}`); !strings.Contains(got, "PROVIDER_ERROR") {
		t.Errorf("search answers %s", got)
	}
	e.Fault.Store(nil)
	s.until(t, "saving facts", "notes/storeprovider.md")
}

// TestEmbedderHangs checks that an embedder that hangs or is down blocks nothing else,
// and that new notes are found when it is back.
func TestEmbedderHangs(t *testing.T) {
	t.Parallel()
	dir := sampleVault(t)
	s := startSearching(t, dir, t.TempDir(), sample.NewEmbedder(""))
	s.until(t, "saving facts", "notes/storeprovider.md")
	down := http.NotFound
	s.embedder.Fault.Store((*http.HandlerFunc)(&down))
	if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("Saving facts, saving information."), 0o600); err != nil {
		t.Fatal(err)
	}
	s.logs(t, "cannot be embedded")
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client is gone
		<-r.Context().Done()
	}
	s.embedder.Fault.Store((*http.HandlerFunc)(&hang))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, failure := s.registry.Call(ctx, "notes/search", json.RawMessage(`{"query":"saving facts"}`))
	if failure == nil || failure.Code != -32003 || !strings.Contains(failure.Message, "did not answer within") {
		t.Errorf("it hangs: %v", failure)
	}
	if got := s.call(t, "get_node", `{"id":"new.md"}`); !strings.Contains(got, "Saving") {
		t.Errorf("get_node answers %s", got)
	}
	s.embedder.Fault.Store(nil)
	s.until(t, "saving facts", "new.md")
	s.logs(t, "the notes are embedded again")
}

// logs waits until the log contains a text.
func (s *searching) logs(t *testing.T, text string) {
	t.Helper()
	for range 600 {
		if strings.Contains(s.log.String(), text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the log does not say %q:\n%s", text, s.log)
}

// TestSearchParams checks that invalid and blank params are rejected before the embedder
// is called.
func TestSearchParams(t *testing.T) {
	t.Parallel()
	e := sample.NewEmbedder("")
	s := startSearching(t, t.TempDir(), "", e)
	for params, want := range map[string]string{
		`{}`: "query", `{"query":" \t\n"}`: "query is blank", `{"query":5}`: "query", `{"query":"x","limit":0}`: "limit",
		`{"query":"x","limit":51}`: "limit", `{"query":"x","threshold":0.5}`: "threshold",
	} {
		text, r := s.agent(t).call(t, "search", params)
		if !r.IsError || !strings.Contains(text, "INVALID_PARAMS") || !strings.Contains(text, want) || text != s.call(t, "search", params) {
			t.Errorf("%s: %s", params, text)
		}
	}
	if got := s.call(t, "search", `{"query":"anything"}`); got != "[]" || e.Texts.Load() != 1 {
		t.Errorf("an empty vault has %s; %d texts were embedded", got, e.Texts.Load())
	}
	long := strings.Repeat("data ", 200)
	s = startSearching(t, vaultOf(t, map[string]string{"long.md": long, "none.md": "x"}), "", e)
	s.until(t, "facts", "long.md")
	var found []struct {
		ID, Content string
		Score       *float64
	}
	got := s.call(t, "search", `{"query":"facts"}`)
	if err := json.Unmarshal([]byte(got), &found); err != nil || len(found) != 2 || len(found[0].Content) != 500 || *found[0].Score != 1 || *found[1].Score != 0 {
		t.Errorf("found %s", got)
	}
}

// TestNoSearchWithoutEmbedder checks that the tool does not exist without an embedder.
func TestNoSearchWithoutEmbedder(t *testing.T) {
	t.Parallel()
	f := newFixture(t, t.TempDir())
	f.registry = rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := f.registry.Add(tools.New(tools.Config{Vault: f.vault, Log: slog.New(slog.DiscardHandler)})); err != nil {
		t.Fatal(err)
	}
	if _, failure := f.registry.Call(t.Context(), "notes/search", json.RawMessage(`{"query":"x"}`)); failure == nil || failure.Code != rpc.MethodNotFound {
		t.Errorf("%v", failure)
	}
}
