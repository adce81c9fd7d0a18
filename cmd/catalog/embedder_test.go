package main

import (
	"maps"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/toolsets/notes/sample"
)

// TestSearchByMeaning checks that a server with an embedder finds an entry that shares no
// word with the query, that it keeps the vectors, and that the next process, such as a
// command, embeds nothing but the query. The catalog is not changed.
func TestSearchByMeaning(t *testing.T) {
	const key = "hunter2"
	t.Setenv(embedderKey, key)
	p := build(t)
	dir, state := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(dir, "storage.md"), "# Storage\n\nPersistence of data.\n")
	writeFile(t, filepath.Join(dir, "weather.md"), "# Weather\n\nSun and rain, and where to go.\n")
	before := readVault(t, dir)
	embedder := sample.NewEmbedder("")
	server := httptest.NewServer(embedder)
	defer server.Close()
	source := server.URL + "/v1#model"
	s := p.startWith(t, state, "serve", "--dir", dir, "--embedder", source)
	s.until("instructions/search", `{"q":"saving facts","mode":"ranked","fields":["title"],"limit":1}`, `{"id":"storage","title":"Storage","score":`)
	s.end()
	if strings.Contains(s.stderr.String(), key) {
		t.Errorf("the log has the key:\n%s", &s.stderr)
	}
	embedder.Texts.Store(0)
	s = p.startWith(t, state, "call", "--dir", dir, "--embedder", source, "instructions/search", `{"q":"saving facts","mode":"ranked","fields":["title"]}`)
	if answer := s.line(); !strings.Contains(answer, `"items":[{"id":"storage"`) {
		t.Errorf("a command answers %s", answer)
	}
	s.end()
	if n := embedder.Texts.Load(); n != 1 {
		t.Errorf("the next process embeds %d texts", n)
	}
	kept, err := filepath.Glob(filepath.Join(state, "instruction-catalog", "instructions", "*.vectors"))
	if err != nil || len(kept) != 1 {
		t.Errorf("kept are %q: %v", kept, err)
	}
	if !maps.Equal(before, readVault(t, dir)) {
		t.Error("the catalog has changed")
	}
}
