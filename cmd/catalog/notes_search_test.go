package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"instruction-catalog/toolsets/notes/sample"
)

// The program embeds notes with the given key, keeps their vectors in the state folder,
// and embeds nothing twice. It does not change the vault.
func TestNotesSearch(t *testing.T) {
	const key = "hunter2"
	t.Setenv(embedderKey, key)
	p := build(t)
	dir, state := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, sample.Files()); err != nil {
		t.Fatal(err)
	}
	before := readVault(t, dir)
	embedder, strangers := sample.NewEmbedder(""), atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			strangers.Add(1)
		}
		embedder.ServeHTTP(w, r)
	}))
	defer server.Close()
	serve := func() *session {
		return p.startWith(t, state, "serve", "--toolsets", "notes", "--notes", dir, "--notes-embedder", server.URL+"/v1#model")
	}
	const query, found = `{"query":"saving facts","limit":1}`, `"id":"notes/storeprovider.md"`
	s := serve()
	s.until("notes/search", query, found)
	s.end()
	if strings.Contains(s.stderr.String(), key) {
		t.Errorf("the log has the key:\n%s", &s.stderr)
	}
	embedder.Texts.Store(0)
	s = serve()
	if r := s.call("notes/search", query); !strings.Contains(string(r.Result), found) {
		t.Errorf("the first search of the next process finds %s", r.line)
	}
	s.end()
	if n := embedder.Texts.Load(); n != 1 || strangers.Load() > 0 {
		t.Errorf("the next process embeds %d texts; %d requests came without the key", n, strangers.Load())
	}
	kept, err := filepath.Glob(filepath.Join(state, "instruction-catalog", "notes", "*.vectors"))
	if err != nil || len(kept) != 1 {
		t.Errorf("kept are %q: %v", kept, err)
	}
	if !maps.Equal(before, readVault(t, dir)) {
		t.Error("the vault has changed")
	}
}
