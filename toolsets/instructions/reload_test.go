package instructions_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/rpc/server"
	"instruction-catalog/toolsets/instructions"
)

// TestAnswersAreOfOneSnapshot checks that each answer is consistent while files change:
// its hash is the hash of its items.
func TestAnswersAreOfOneSnapshot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(i, version int) {
		path := filepath.Join(dir, fmt.Sprintf("entry-%d.md", i%20))
		if err := os.WriteFile(path, fmt.Appendf(nil, "# Title\n\nVersion %d.\n", version), 0o600); err != nil {
			t.Error(err)
		}
	}
	for i := range 20 {
		write(i, 0)
	}
	log := slog.New(slog.DiscardHandler)
	toolset := instructions.New(instructions.Config{Dir: dir, Now: time.Now, Watch: true, Log: log})
	registry, err := server.NewRegistry(server.Config{Version: "1", Contract: instructions.Contract(), Log: log, Now: time.Now}, toolset.Toolset())
	if err != nil {
		t.Fatal(err)
	}
	if err := registry.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := func() (hash string, ok bool) {
		result, failure := registry.Call(t.Context(), "instructions/list", []byte(`{}`))
		if failure != nil {
			t.Error(failure)
			return "", false
		}
		var list struct {
			Hash  string
			Items []struct{ ID, SourceHash string }
		}
		if err := json.Unmarshal(result.Bytes(), &list); err != nil {
			t.Error(err)
		}
		var parts []string
		for _, item := range list.Items {
			parts = append(parts, item.ID+":"+item.SourceHash)
		}
		sum := sha256.Sum256([]byte(strings.Join(parts, "|")))
		return list.Hash, hex.EncodeToString(sum[:]) == list.Hash
	}
	const wanted = 10 // swaps
	seen := map[string]bool{}
	var askers sync.WaitGroup
	var mu sync.Mutex
	done := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seen) > wanted
	}
	for range 3 {
		askers.Go(func() {
			for end := time.Now().Add(time.Minute); !done() && time.Now().Before(end); {
				hash, ok := ask()
				if !ok {
					t.Errorf("the answer with hash %s is of two snapshots", hash)
					return
				}
				mu.Lock()
				seen[hash] = true
				mu.Unlock()
			}
		})
	}
	for version := 1; !done() && version < 2000 && !t.Failed(); version++ {
		write(version, version)
		time.Sleep(time.Duration(version%10) * 10 * time.Millisecond)
	}
	askers.Wait()
	if err := registry.Close(); err != nil || !done() {
		t.Errorf("saw %d snapshots, %v", len(seen), err)
	}
}
