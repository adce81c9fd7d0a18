package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		if names(line, "test_slow", "test/slow") {
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

var escape = regexp.MustCompile(`\\(/|u[0-9a-fA-F]{4})`)

// names reports whether a text has one of the words in it, in whatever way JSON
// may write it.
func names(text string, words ...string) bool {
	plain := escape.ReplaceAllStringFunc(text, func(escaped string) string {
		if escaped == `\/` {
			return "/"
		}
		r, _ := strconv.ParseUint(escaped[2:], 16, 16) // it is a number
		return string(rune(r))
	})
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(plain, word) })
}

// TestNames: no way of writing a word is overlooked, and nothing else is skipped.
func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"test_slow"`: true, `"test\/slow"`: true, `"\u0074est_sl\u006Fw"`: true, `"test\u002fslow"`: true,
		`"test_echo"`: false, `"\u00e9\ud800"`: false, `"test_slo\u0000w"`: false,
	} {
		if got := names(text, "test_slow", "test/slow"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
