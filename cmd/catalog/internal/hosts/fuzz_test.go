package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	decoder "github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"
)

// FuzzJSON checks that any file is either rejected or edited so that every other value
// stays, and that removing the entry restores every other byte.
func FuzzJSON(f *testing.F) {
	for _, tt := range jsonCases {
		f.Add(tt.before)
		f.Add(tt.added)
	}
	addGolden(f, jsonc)
	f.Fuzz(func(t *testing.T, text string) {
		for _, h := range []Host{vscode, openCode} {
			checkEdits(t, h, text, jsonValues)
			if added, err := h.Add([]byte(text), server); err == nil && json.Valid([]byte(text)) && !json.Valid(added) {
				t.Errorf("%s: JSON became something else:\n%s", h.Name, added)
			}
		}
	})
}

// FuzzTOML is like [FuzzJSON] for TOML.
func FuzzTOML(f *testing.F) {
	for _, tt := range tomlCases {
		f.Add(tt.before)
		f.Add(tt.added)
	}
	addGolden(f, toml)
	f.Fuzz(func(t *testing.T, text string) { checkEdits(t, codex, text, tomlValues) })
}

func addGolden(f *testing.F, of format) {
	for _, h := range All() {
		if h.format != of {
			continue
		}
		archive, err := txtar.ParseFile(filepath.Join("testdata", h.Name+".txtar"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(string(file.Data))
			f.Add(strings.ReplaceAll(string(file.Data), "\n", "\r\n"))
			f.Add(strings.TrimSuffix(string(file.Data), "\n"))
		}
	}
}

// checkEdits adds our entry to a text and removes it. values decodes a text.
func checkEdits(t *testing.T, h Host, text string, values func([]byte) (map[string]any, error)) {
	t.Helper()
	added, err := h.Add([]byte(text), server)
	if err != nil {
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Errorf("%s: an error without a place: %v", h.Name, err)
		}
		return
	}
	if again, err := h.Add(added, server); err != nil || !bytes.Equal(again, added) {
		t.Errorf("%s: added again (%v):\n%q\nis now\n%q", h.Name, err, added, again)
	}
	before, err := values([]byte(text))
	if err != nil {
		t.Fatalf("%s: what was not understood was edited: %v", h.Name, err)
	}
	after, err := values(added)
	if err != nil {
		t.Fatalf("%s: what is added is not understood: %v\n%q", h.Name, err, added)
	}
	wasThere := h.takeOut(before)
	if !h.takeOut(after) || fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("%s: other values changed:\n%v\n%v", h.Name, before, after)
	}
	rest, nothingElse, err := h.Remove(added, server)
	if err != nil {
		t.Fatalf("%s: what was added is not removed: %v", h.Name, err)
	}
	if !wasThere && (string(rest) != text || nothingElse) {
		t.Errorf("%s: not what it was, or taken for nothing (%v):\n%q\n%q\n%q", h.Name, nothingElse, text, added, rest)
	}
	left, err := values(rest)
	if h.takeOut(left); !nothingElse && (err != nil || fmt.Sprint(left) != fmt.Sprint(before)) {
		t.Errorf("%s: left over (%v):\n%v\n%v", h.Name, err, before, left)
	}
}

// takeOut removes our entry from decoded values, and its container if that is then
// empty. It reports whether the entry existed.
func (h Host) takeOut(values map[string]any) bool {
	servers, ok := values[h.key].(map[string]any)
	if !ok {
		return false
	}
	_, there := servers[ServerName]
	delete(servers, ServerName)
	if len(servers) == 0 {
		delete(values, h.key)
	}
	return there
}

func jsonValues(text []byte) (values map[string]any, err error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	standard, err := hujson.Standardize(append(bytes.Clone(text), '\n'))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(standard))
	d.UseNumber()
	return values, d.Decode(&values)
}

func tomlValues(text []byte) (values map[string]any, err error) {
	return values, decoder.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &values)
}
