package instructions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "secrets.md"), []byte("# No secrets in code\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	toolset := instructions.New(instructions.Config{Dir: dir, Now: time.Now})
	registry, err := server.NewRegistry(server.Config{Version: "1.0", Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: time.Now}, toolset.Toolset())
	if err != nil {
		fmt.Println(err)
		return
	}
	params := json.RawMessage(`{"q": "SECRETS", "fields": ["title"]}`)
	result, failure := registry.Call(context.Background(), "instructions/search", params)
	if failure != nil {
		fmt.Println(failure)
		return
	}
	var found struct{ Items []struct{ ID, Title string } }
	err = json.Unmarshal(result.Bytes(), &found)
	fmt.Println(found.Items, err)
	// Output: [{secrets No secrets in code}] <nil>
}
