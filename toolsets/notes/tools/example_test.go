package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
)

func ExampleNew() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"a.md": "To [[b]].", "b.md": "To [c](c.md).", "c.md": "The end."} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	logger := slog.New(slog.DiscardHandler)
	registry := rpc.NewRegistry(logger, time.Now)
	if err := registry.Add(tools.New(tools.Config{Vault: vault.New(dir, logger), Log: logger})); err != nil {
		log.Fatal(err)
	}
	result, failure := registry.Call(context.Background(), "notes/find_path", json.RawMessage(`{"source": "a.md", "target": "c.md"}`))
	if failure != nil {
		log.Fatal(failure)
	}
	fmt.Printf("%s\n", result.Bytes())
	// Output: {"path":["a.md","b.md","c.md"],"length":2}
}
