package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"instruction-catalog/catalog/source"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

// document is what all look through.
type document struct {
	Title, Body string
}

// catalogIn returns what a server is given for a generated catalog: a bundle,
// which is its only file, or the folder.
func catalogIn(dir string) (path string, bundled bool) {
	files, err := os.ReadDir(dir)
	if err == nil && len(files) == 1 && strings.HasSuffix(files[0].Name(), ".jsonl") {
		return filepath.Join(dir, files[0].Name()), true
	}
	return dir, false
}

// openCatalog returns our own server, called in process, and the texts of the
// catalog.
func openCatalog(ctx context.Context, path string) (*contender, []document, error) {
	ours := &contender{performance: performance{Name: "catalog"}, close: func() error { return nil }}
	texts, err := ours.load(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	toolset := instructions.New(instructions.Config{Dir: path, Now: time.Now})
	registry, err := server.NewRegistry(server.Config{Version: "peers", Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: time.Now}, toolset.Toolset())
	if err != nil {
		return nil, nil, err
	}
	ours.count = (&server{registry}).count
	return ours, texts, nil
}

// load loads the catalog as a server does, to measure the building of its index,
// and what is held: the entries as they are served, and the index.
func (c *contender) load(ctx context.Context, path string) ([]document, error) {
	before := heap()
	snapshot, err := source.New(path).Load(ctx)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	snapshot.BuildIndex()
	c.Build = inMilliseconds(time.Since(start))
	c.Holds = heap() - before
	var texts []document
	for _, e := range snapshot.Entries() {
		texts = append(texts, document{e.Title, e.Body.Text()})
	}
	return texts, nil
}

// heap is how much is in use. It takes two collections to empty what was pooled.
func heap() byteCount {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return byteCount(m.HeapAlloc)
}

// server is asked by its contract.
type server struct{ registry *rpc.Registry }

// count asks for the exact number of entries that contain a term, and the id of
// the first.
func (s *server) count(ctx context.Context, term string) (int, error) {
	var found struct{ Count int }
	err := s.call(ctx, "instructions/search", map[string]any{"q": term, "limit": 1, "fields": []string{"id"}}, &found)
	return found.Count, err
}

func (s *server) call(ctx context.Context, method string, params, result any) error {
	encoded, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer, failure := s.registry.Call(ctx, method, encoded)
	if failure != nil {
		return fmt.Errorf("%s: %w", method, failure)
	}
	return json.Unmarshal(answer.Bytes(), result)
}
