package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime"
	"time"

	"instruction-catalog/bench"
	"instruction-catalog/catalog/source"
	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

// openCatalog returns our own server, called in process, and the texts of the
// catalog. What it holds are the entries as they are served, and the index.
func openCatalog(ctx context.Context, path string) (*contender, []document, error) {
	ours := &contender{performance: performance{Name: "catalog"}, close: func() error { return nil }}
	before := heap()
	snapshot, err := source.New(path).Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	snapshot.BuildIndex()
	ours.Build = inMilliseconds(time.Since(start))
	ours.Holds = heap() - before
	var texts []document
	for _, e := range snapshot.Entries() {
		texts = append(texts, document{e.Title, e.Body.Text()})
	}
	toolset := instructions.New(instructions.Config{Dir: path, Now: time.Now})
	registry, err := server.NewRegistry(server.Config{Version: "peers", Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: time.Now}, toolset.Toolset())
	if err != nil {
		return nil, nil, err
	}
	ours.count = func(ctx context.Context, term string) (int, error) {
		params, err := json.Marshal(map[string]any{"q": term, "limit": 1, "fields": []string{"id"}})
		if err != nil {
			return 0, err
		}
		answer, failure := registry.Call(ctx, "instructions/search", params)
		if failure != nil {
			return 0, failure
		}
		var found struct{ Count int }
		err = json.Unmarshal(answer.Bytes(), &found)
		return found.Count, err
	}
	return ours, texts, nil
}

// heap is how much is in use. It takes two collections to empty what was pooled.
func heap() bench.Bytes {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return bench.Bytes(m.HeapAlloc)
}
