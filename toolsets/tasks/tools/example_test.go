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
	"instruction-catalog/toolsets/tasks/sqlite"
	"instruction-catalog/toolsets/tasks/tools"
)

// Without authentication, each call names its user.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.New(filepath.Join(dir, "tasks.db"))
	if err != nil {
		log.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	toolset := tools.New(tools.Config{Store: store, Log: logger})
	defer toolset.Close()

	registry := rpc.NewRegistry(logger, time.Now)
	if err := registry.Add(toolset); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	result, failure := registry.Call(ctx, "tasks/add_task", json.RawMessage(`{"user_id": "ann", "title": "Buy milk"}`))
	if failure != nil {
		log.Fatal(failure)
	}
	fmt.Printf("%s\n", result.Bytes())
	_, failure = registry.Call(ctx, "tasks/delete_task", json.RawMessage(`{"user_id": "bob", "task_id": 1}`))
	fmt.Println(failure.Code, failure.Message)
	// Output:
	// {"task_id":1,"status":"created","title":"Buy milk"}
	// -32001 Task not found
}
