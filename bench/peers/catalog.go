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

	textsearch "instruction-catalog/catalog/search"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/instructions"
)

// document is what all look through.
type document struct {
	Title string `json:"title"`
	Body  string `json:"body"`
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
	registry := rpc.NewRegistry(schemas.V1(), rpc.Info{}, slog.New(slog.DiscardHandler), time.Now)
	toolset := instructions.New(instructions.Config{Dir: path, Version: "peers", Now: time.Now})
	if err := registry.Add(toolset.Methods()...); err != nil {
		return nil, nil, err
	}
	s := &server{registry}
	texts, err := s.texts(ctx)
	if err != nil {
		return nil, nil, err
	}
	build, holds := buildIndex(texts)
	ours := &contender{
		performance: performance{Name: "catalog", Build: build, Holds: holds},
		count:       s.count,
		close:       func() error { return nil },
	}
	return ours, texts, nil
}

// buildIndex measures what becomes of texts in memory: how long it takes, and
// what is kept, texts included.
func buildIndex(texts []document) (milliseconds, byteCount) {
	all := make([]textsearch.Text, len(texts))
	for i, t := range texts {
		all[i] = textsearch.Text(t)
	}
	before := heap()
	start := time.Now()
	index := textsearch.New(textsearch.TextsOf(all), runtime.GOMAXPROCS(0))
	took := time.Since(start)
	holds := heap() - before
	runtime.KeepAlive(index)
	runtime.KeepAlive(all)
	return inMilliseconds(took), holds
}

// heap is how much is in use.
func heap() byteCount {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return byteCount(m.HeapAlloc)
}

// server is asked by its contract.
type server struct{ registry *rpc.Registry }

// pageSize is how many entries are asked for at once, so that a large catalog is
// not encoded in one piece.
const pageSize = 1000

func (s *server) texts(ctx context.Context) ([]document, error) {
	var all []document
	for params := map[string]any{"limit": pageSize}; ; {
		var page struct {
			Items      []document
			NextCursor string
		}
		if err := s.call(ctx, "instructions/list", params, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if page.NextCursor == "" {
			return all, nil
		}
		params["cursor"] = page.NextCursor
	}
}

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
