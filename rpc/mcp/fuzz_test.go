package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzMessage: whatever a client sends in a session, what comes back is JSON
// lines, and the next request is answered.
func FuzzMessage(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(txtar.Parse(data).Files[0].Data)) {
			f.Add(strings.TrimSpace(line))
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "test_slow") || strings.Contains(line, "test/slow") || strings.Contains(line, `\u`) {
			t.Skip("would wait to be released")
		}
		line = strings.NewReplacer("\n", " ", "\r", " ").Replace(line)
		out := newToy(t).serve(t, handshake+line+"\n"+`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		for answer := range strings.Lines(out) {
			if !json.Valid([]byte(answer)) {
				t.Errorf("%q was answered with %q", line, answer)
			}
		}
		if !strings.Contains(out, pong) {
			t.Errorf("after %q there is no answer to ping: %q", line, out)
		}
	})
}
