package instructions_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sha(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

type verification struct {
	Count, IssueCount int
	Issues            []struct{ ID, Expected, Actual string }
	Diagnostics       []struct {
		Path, Severity, Message string
		Line                    int
	}
}

func (c *catalog) verify() (v verification) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.raw("integrity/verify", `{"detail":true}`)), &v); err != nil {
		c.t.Fatal(err)
	}
	if v.IssueCount != len(v.Issues) {
		c.t.Errorf("issueCount %d, %d issues", v.IssueCount, len(v.Issues))
	}
	return v
}

// withHash returns a Markdown file with a body and a recorded hash.
func withHash(body, hash string) string {
	return "---\nsourceHash: \"" + hash + "\"\n---\n" + body
}

// TestRecordedHashes checks that a recorded hash may be of the body in any form that
// real catalogs use, and in no other.
func TestRecordedHashes(t *testing.T) {
	t.Parallel()
	const body = "\n One. \t\r\nTwo.  \n\n"
	tests := map[string]struct {
		recorded string
		drift    bool
	}{
		"none":                      {"", false},
		"as served":                 {sha(body), false},
		"in capitals":               {strings.ToUpper(sha(body)), false},
		"trimmed":                   {sha("One. \t\r\nTwo."), false},
		"newlines and blanks":       {sha("\n One.\nTwo.\n\n"), false},
		"normalised and trimmed":    {sha("One.\nTwo."), false},
		"of another text":           {sha("Three."), true},
		"no hash at all":            {"x", true},
		"of the blanks in the text": {sha("One.Two."), true},
	}
	for name, tt := range tests {
		c := open(t, map[string]string{"a.md": withHash(body, tt.recorded)})
		v := c.verify()
		if (len(v.Issues) == 1) != tt.drift || v.Count != 1 {
			t.Errorf("%s: %+v", name, v)
			continue
		}
		if tt.drift && (v.Issues[0].Expected != tt.recorded || v.Issues[0].Actual != sha(body) || v.Issues[0].ID != "a") {
			t.Errorf("%s: %+v", name, v.Issues)
		}
		if got := c.call("instructions/get", `{"id":"a"}`).Item; got.SourceHash != sha(body) || got.Body != body {
			t.Errorf("%s: served %q with %s: not the body as it stands", name, got.Body, got.SourceHash)
		}
	}
}

// TestEditsAfterLoading changes the files of a loaded catalog.
func TestEditsAfterLoading(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("Before."), 0o644); err != nil {
		t.Fatal(err)
	}
	before := withHash("Before.", sha("Before."))
	plain := sha("Before.")
	tests := []struct {
		name     string
		original string
		edit     func(c *catalog)
		expected string // "" for no drift
		actual   string
	}{
		{"nothing", "Before.", func(c *catalog) {}, "", ""},
		{"the same again", "Before.", func(c *catalog) { c.write("a.md", "Before.") }, "", ""},
		{"another title", "Before.", func(c *catalog) { c.write("a.md", "---\ntitle: New\n---\nBefore.") }, "", ""},
		{"body", "Before.", func(c *catalog) { c.write("a.md", "After.") }, plain, sha("After.")},
		{"blanks, nothing recorded", "Before.", func(c *catalog) { c.write("a.md", "Before.\n") }, plain, sha("Before.\n")},
		{"blanks, recorded", before, func(c *catalog) { c.write("a.md", before+"\n") }, "", ""},
		{"body, hash left", before, func(c *catalog) { c.write("a.md", withHash("After.", plain)) }, plain, sha("After.")},
		{"body and hash", before, func(c *catalog) { c.write("a.md", withHash("After.", sha("After."))) }, plain, sha("After.")},
		{"deleted", "Before.", func(c *catalog) { c.remove("a.md") }, plain, ""},
		{"deleted, recorded", before, func(c *catalog) { c.remove("a.md") }, plain, ""},
		{"emptied", "Before.", func(c *catalog) { c.write("a.md", "") }, plain, ""},
		{"front matter that never ends", "Before.", func(c *catalog) { c.write("a.md", "---\nowner: me\nBefore.") }, plain, ""},
		{"no UTF-8", "Before.", func(c *catalog) { c.write("a.md", "Before\xff.") }, plain, ""},
		{"a folder in its place", "Before.", func(c *catalog) { c.remove("a.md"); c.write("a.md/x", "") }, plain, ""},
		{"a link to the outside", "Before.", func(c *catalog) {
			c.remove("a.md")
			if err := os.Symlink(outside, c.path("a.md")); err != nil {
				c.t.Skip(err)
			}
		}, plain, ""},
		{"the whole folder", "Before.", func(c *catalog) { c.remove("") }, plain, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := open(t, map[string]string{"a.md": tt.original, "b.json": jsonEntry("b", "")})
			served := c.raw("instructions/list", `{}`)
			tt.edit(c)
			v := c.verify()
			found, want := "", ""
			for _, d := range v.Issues {
				if d.ID == "a" {
					found = d.Expected + " " + d.Actual
				}
			}
			if tt.expected != "" {
				want = tt.expected + " " + tt.actual
			}
			if found != want {
				t.Errorf("found %q, want %q", found, want)
			}
			if v.Count != 2 || served != c.raw("instructions/list", `{}`) {
				t.Errorf("the catalog that is served has changed: %+v", v)
			}
		})
	}
}

// TestMended checks that no drift is reported once the file is restored.
func TestMended(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "Before.", "b.md": "B."})
	c.call("instructions/list", `{}`)
	c.write("a.md", "After.")
	c.remove("b.md")
	if v := c.verify(); len(v.Issues) != 2 || v.Issues[0].ID != "a" || v.Issues[1].ID != "b" {
		t.Errorf("two files were changed: %+v", v.Issues)
	}
	c.write("a.md", "Before.")
	c.write("b.md", "B.")
	if v := c.verify(); len(v.Issues) != 0 {
		t.Errorf("both are as they were: %+v", v.Issues)
	}
}

// TestUnreadableFile checks that an unreadable file is a drift if its entry was loaded,
// and an error otherwise.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() <= 0 {
		t.Skip("root may read every file, and Windows has no such rights")
	}
	c := open(t, map[string]string{"a.md": "A.", "b.md": "B."})
	c.call("instructions/list", `{}`)
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.Chmod(c.path(name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if v := c.verify(); len(v.Issues) != 2 || v.Issues[0].Actual != "" || v.Issues[0].Expected != sha("A.") {
		t.Errorf("%+v", v.Issues)
	}
}

// TestDiagnostics checks that diagnostics are listed only on request.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"b.json": jsonEntry("Loose.Id", ""), "a.md": "---\nid: dup\n---\nA.", "c/d.md": "---\nid: dup\n---\nB.", "team.json": "{}",
	})
	if plain := c.raw("integrity/verify", `{}`); strings.Contains(plain, "diagnostics") {
		t.Errorf("nobody asked: %s", plain)
	}
	var got []string
	for _, d := range c.verify().Diagnostics {
		got = append(got, fmt.Sprintf("%s:%d %s", d.Path, d.Line, d.Severity))
		if d.Message == "" {
			t.Errorf("%s: it does not say why", d.Path)
		}
	}
	if want := "b.json:1 warning, c/d.md:0 error, team.json:0 note"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}
