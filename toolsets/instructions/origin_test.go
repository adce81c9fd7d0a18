package instructions_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/toolsets/instructions"
)

// TestOrigin checks that the location of an entry is served on request, with the path
// relative to the catalog's folder and the line for editors.
func TestOrigin(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"go/plain.md":            "Wrap errors.",
		"front.md":               "---\ntitle: T\npriority: 3\n---\nBody.",
		"one.json":               "{\n\"id\": \"one\",\n\"title\": \"T\",\n\"body\": \"B\"\n}",
		".claude/rules/style.md": "---\npaths: [\"*.go\"]\n---\n\nStyle.",
		"gates.json":             `{"gates":[]}`, // makes the folder a catalog
	})
	const fields = `"fields":["origin"]`
	for id, want := range map[string]string{
		"go-plain":           `{"path":"go/plain.md","line":1,"format":"markdown"}`,
		"front":              `{"path":"front.md","line":5,"format":"markdown"}`,
		"one":                `{"path":"one.json","line":4,"format":"json"}`,
		"claude-rules-style": `{"path":".claude/rules/style.md","line":4,"format":"claude-rule"}`,
	} {
		item := `{"id":"` + id + `","origin":` + want + `}`
		if got := c.raw("instructions/get", `{"id":"`+id+`",`+fields+`}`); !strings.Contains(got, `"item":`+item) {
			t.Errorf("%s: got %s, want %s", id, got, item)
		}
		for method, params := range map[string]string{"instructions/list": `{` + fields + `}`, "instructions/search": `{"q":"",` + fields + `}`} {
			if got := c.raw(method, params); !strings.Contains(got, item) {
				t.Errorf("%s: got %s, want %s in it", method, got, item)
			}
		}
	}
	for _, method := range []string{"instructions/list", "instructions/diff", "integrity/verify"} {
		if got := c.raw(method, `{}`); strings.Contains(got, `"origin"`) {
			t.Errorf("%s tells the origin unasked: %s", method, got)
		}
	}
}

// TestOriginInABundle checks that the line refers to the bundle, and that only the
// bundle's name is shown.
func TestOriginInABundle(t *testing.T) {
	t.Parallel()
	bundle := filepath.Join(t.TempDir(), "rules.jsonl")
	if err := os.WriteFile(bundle, []byte(jsonEntry("a", "")+"\n"+jsonEntry("b", "")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, nil)
	c.serve(instructions.Config{Dir: bundle, Now: c.clock.Now})
	want := `{"id":"b","origin":{"path":"rules.jsonl","line":2,"format":"json"}}`
	if got := c.raw("instructions/list", `{"fields":["origin"]}`); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}

// TestOriginOfIssues checks that an issue includes its location on request.
func TestOriginOfIssues(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"x/a.md": withHash("A.", "old")})
	var v struct {
		Issues []struct{ Origin *struct{ Path string } }
	}
	if err := json.Unmarshal([]byte(c.raw("integrity/verify", `{"origin":true}`)), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Issues) != 1 || v.Issues[0].Origin == nil || v.Issues[0].Origin.Path != "x/a.md" {
		t.Errorf("got %+v", v)
	}
}
