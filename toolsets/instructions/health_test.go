package instructions_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

type health struct {
	Status, Timestamp, Version string
	UptimeSeconds              *float64
	Catalog                    *struct {
		State, Hash, Error               string
		Entries, Errors, Warnings, Notes int
	}
}

func (c *catalog) health(params string) (h health) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.raw("health/check", params)), &h); err != nil {
		c.t.Fatal(err)
	}
	return h
}

func TestHealth(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"a.md": "A.", "b.md": "B.", "empty.md": "", "Loose.json": jsonEntry("Loose", ""), "team.json": `{"x":1}`, "_draft.md": "",
	})
	const plain = `{"status":"ok","timestamp":"2025-08-24T09:30:00.000Z","version":"0.0.0"}`
	for _, params := range []string{``, `null`, `{}`, `{"detail":false}`} {
		if got := c.raw("health/check", params); got != plain {
			t.Errorf("%q: %s", params, got)
		}
	}
	c.clock.advance(1500 * time.Millisecond)
	got := c.health(`{"detail":true}`)
	if got.UptimeSeconds == nil || *got.UptimeSeconds != 1.5 || got.Timestamp != "2025-08-24T09:30:01.500Z" {
		t.Errorf("uptime %v at %s", got.UptimeSeconds, got.Timestamp)
	}
	k := got.Catalog
	if k == nil || k.State != "ready" || k.Entries != 3 || k.Errors != 1 || k.Warnings != 1 || k.Notes != 1 || k.Error != "" {
		t.Errorf("catalog: %+v", k)
	}
	if hash := c.call("instructions/list", `{}`).Hash; k.Hash != hash {
		t.Errorf("hash %s, list says %s", k.Hash, hash)
	}
}

// TestMissingFolder checks that every call is answered while the folder is missing, and
// that the catalog is served as soon as the folder exists.
func TestMissingFolder(t *testing.T) {
	t.Parallel()
	c := open(t, nil)
	got := c.health(`{"detail":true}`)
	if got.Status != "ok" || got.Catalog.State != "failed" || got.Catalog.Hash != "" || !strings.Contains(got.Catalog.Error, "catalog init") {
		t.Errorf("health: %+v, catalog %+v", got, got.Catalog)
	}
	calls := map[string]string{
		"instructions/list": `{}`, "instructions/get": `{"id":"a"}`, "instructions/search": `{"q":""}`, "instructions/diff": `{}`,
		"integrity/verify": `{}`, "usage/track": `{"id":"a"}`, "usage/hotset": `{}`, "gates/evaluate": `{}`,
	}
	for method, params := range calls {
		if got := c.fails(method, params, -32005); !strings.Contains(got, "catalog init") || !strings.Contains(got, "--dir") {
			t.Errorf("%s does not say what to do: %s", method, got)
		}
	}
	c.raw("prompt/review", `{"prompt":"needs no catalog"}`)

	c.write("a.md", "A.")
	if got := c.health(`{"detail":true}`); got.Catalog.State != "ready" || got.Catalog.Entries != 1 || got.Catalog.Error != "" {
		t.Errorf("the folder is there, and the catalog %+v", got.Catalog)
	}
	for method, params := range calls {
		c.raw(method, params)
	}
}

// TestFolderThatIsAFile checks that the error is as clear as for a missing folder.
func TestFolderThatIsAFile(t *testing.T) {
	t.Parallel()
	c := open(t, nil)
	c.write("../instructions", "not a folder")
	if got := c.health(`{"detail":true}`); got.Catalog.State != "failed" || !strings.Contains(got.Catalog.Error, "cannot be read") {
		t.Errorf("catalog: %+v", got.Catalog)
	}
}

// TestEmptyFolder checks that an empty folder is a catalog without entries.
func TestEmptyFolder(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"_nothing": ""})
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256 of nothing
	tests := []struct{ method, params, want string }{
		{"instructions/list", `{}`, `{"hash":"` + empty + `","count":0,"items":[]}`},
		{"instructions/list", `{"limit":1}`, `{"hash":"` + empty + `","count":0,"items":[]}`},
		{"instructions/search", `{"q":"x"}`, `{"hash":"` + empty + `","count":0,"items":[]}`},
		{"instructions/diff", `{}`, `{"hash":"` + empty + `","changed":[]}`},
		{"instructions/diff", `{"known":[]}`, `{"hash":"` + empty + `","added":[],"updated":[],"removed":[]}`},
		{"instructions/diff", `{"clientHash":"` + empty + `"}`, `{"upToDate":true,"hash":"` + empty + `"}`},
		{"usage/hotset", `{}`, `{"hash":"` + empty + `","count":0,"limit":10,"items":[]}`},
		{"integrity/verify", `{}`, `{"hash":"` + empty + `","count":0,"issues":[],"issueCount":0}`},
		{"integrity/verify", `{"detail":true}`, `{"hash":"` + empty + `","count":0,"issues":[],"issueCount":0,"diagnostics":[` +
			`{"path":".","severity":"warning","message":"the folder is empty: write an instruction, or name another folder with --dir"}]}`},
	}
	for _, tt := range tests {
		if got := c.raw(tt.method, tt.params); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.method, tt.params, got, tt.want)
		}
	}
}
