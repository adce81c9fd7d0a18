package source

import (
	"os"
	"path/filepath"
	"testing"
)

// A draft replaces its file, even if the file does not exist, and the target of links to
// it. All other files are those loaded before.
func TestDraft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"AGENTS.md": "On disk.\n", "docs/other.md": "Other.\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("AGENTS.md", filepath.Join(dir, "linked.md")); err != nil {
		t.Skip("there are no symbolic links")
	}
	s := New(dir)
	before := bodiesOf(t, s)
	for _, test := range []struct {
		path, text string
		want       map[string]string
	}{
		{"AGENTS.md", "Edited.\n", map[string]string{"AGENTS.md": "Edited.\n", "linked.md": "Edited.\n", "docs/other.md": "Other.\n"}},
		{"new/deep/a.md", "New.\n", map[string]string{"AGENTS.md": "On disk.\n", "linked.md": "On disk.\n", "docs/other.md": "Other.\n", "new/deep/a.md": "New.\n"}},
		{"docs/other.md", "", map[string]string{"AGENTS.md": "On disk.\n", "linked.md": "On disk.\n"}},
	} {
		got := bodiesOf(t, s.WithDraft(test.path, []byte(test.text)))
		if len(got) != len(test.want) {
			t.Errorf("%s: got %q", test.path, got)
		}
		for path, body := range test.want {
			if got[path] != body {
				t.Errorf("%s: %s has %q, want %q", test.path, path, got[path], body)
			}
		}
	}
	if after := bodiesOf(t, s); len(after) != len(before) || after["AGENTS.md"] != before["AGENTS.md"] {
		t.Errorf("the source itself has changed: %q", after)
	}
}

// bodiesOf returns the bodies of a catalog by file path.
func bodiesOf(t *testing.T, s *Source) map[string]string {
	t.Helper()
	loaded, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, e := range loaded.Entries() {
		bodies[e.Origin.Path] = e.Body.Text()
	}
	return bodies
}
