package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"instruction-catalog/catalog"
)

// link creates symbolic links in a folder, given as pairs of path and target.
func link(t *testing.T, dir string, links map[string]string) {
	t.Helper()
	for name, target := range links {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), at); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
}

// secrets lists files that no symbolic link may lead to.
var secrets = map[string]string{
	".git/config":                  "SECRET",
	".git/notes.md":                "SECRET",
	".env":                         "SECRET",
	".env.md":                      "SECRET",
	".hidden/a.md":                 "SECRET",
	"docs/.env":                    "SECRET",
	"config/settings.yaml":         "SECRET",
	"opencode.json":                `{"key":"SECRET"}`,
	".claude/settings.local.json":  `{"key":"SECRET"}`,
	".claude/skills/a/.env":        "SECRET",
	".claude/skills/a/data.json":   `{"key":"SECRET"}`,
	".gitignore":                   "private\n/local.md\n*.log.md\n",
	"private/a.md":                 "SECRET",
	"private/deep/b.md":            "SECRET",
	"docs/.gitignore":              "/mine.md\n",
	"docs/mine.md":                 "SECRET",
	"local.md":                     "SECRET",
	"docs/a.log.md":                "SECRET",
	"docs/plain.md":                "plain",
	"_shared/rules.markdown":       "shared",
	".cursorrules":                 "cursor",
	".github/copilot-instructions": "SECRET",
	".github/prompts/a.prompt.md":  "prompt",
}

// TestLinksOutOfBounds checks that a symbolic link to a file that would not be read at
// its own path is reported and not followed, however indirect the link is.
func TestLinksOutOfBounds(t *testing.T) {
	t.Parallel()
	for name, links := range map[string]map[string]string{
		"a file of git":                     {"AGENTS.md": ".git/config"},
		"Markdown of git":                   {"AGENTS.md": ".git/notes.md"},
		"the environment":                   {"CLAUDE.md": ".env"},
		"the environment as Markdown":       {"CLAUDE.md": ".env.md"},
		"a hidden folder":                   {"AGENTS.md": ".hidden/a.md"},
		"up again":                          {"AGENTS.md": "docs/../.env"},
		"a hidden file of a folder":         {"AGENTS.md": "docs/.env"},
		"no instruction":                    {"AGENTS.md": "config/settings.yaml"},
		"an agent's settings":               {"AGENTS.md": "opencode.json"},
		"an agent's own settings":           {"AGENTS.md": ".claude/settings.local.json"},
		"the environment of a skill":        {"AGENTS.md": ".claude/skills/a/.env"},
		"data of a skill":                   {"AGENTS.md": ".claude/skills/a/data.json"},
		"an ignored folder":                 {"AGENTS.md": "private/a.md"},
		"below an ignored folder":           {"AGENTS.md": "private/deep/b.md"},
		"ignored in its folder":             {"AGENTS.md": "docs/mine.md"},
		"an ignored file":                   {"AGENTS.md": "local.md"},
		"an ignored pattern":                {"AGENTS.md": "docs/a.log.md"},
		"a chain":                           {"AGENTS.md": "docs/one.md", "docs/one.md": "two.md", "docs/two.md": "../.env"},
		"a link to a folder":                {"AGENTS.md": "way/config", "way": ".git"},
		"a link to a folder, to Markdown":   {"AGENTS.md": "way/notes.md", "way": ".git"},
		"up from the target of a link":      {"AGENTS.md": "way/../.env", "way": "docs"},
		"an ignored folder through another": {"AGENTS.md": "way/deep/b.md", "way": "private"},
		"a rule of an agent":                {".cursor/rules/a.mdc": "../../.env"},
		"a rule without an extension":       {".clinerules/a.txt": "../.git/config"},
		"a command":                         {".gemini/commands/a.toml": "../../.claude/settings.local.json"},
		"a skill":                           {".agents/skills/b/SKILL.md": "../../../.env"},
		"a file without an extension":       {"AGENTS.md": ".github/copilot-instructions"},
		"an entry":                          {"instructions/a.md": "../.env"},
		"an entry in JSON":                  {"instructions/a.json": "../opencode.json"},
		"a loop":                            {"AGENTS.md": "b.md", "b.md": "AGENTS.md"},
		"a loop of folders":                 {"AGENTS.md": "x/a.md", "x": "y", "y": "x"},
		"a file as a folder":                {"AGENTS.md": ".env/../docs/plain.md"},
		"nowhere":                           {"AGENTS.md": "nowhere.md"},
		"out":                               {"AGENTS.md": "../out.md"},
		"out and back":                      {"AGENTS.md": "docs/../../x/docs/plain.md"},
		"a persona":                         {"tools/agents/a.md": "../../.env"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFiles(t, dir, secrets)
			link(t, dir, links)
			s := load(t, dir)
			named := map[string]bool{}
			for _, d := range s.Diagnostics() {
				for name := range links {
					named[name] = named[name] || d.Path == name || d.Path == "." && strings.Contains(d.Message, `"`+name+`"`)
				}
			}
			for name := range links {
				e := slices.IndexFunc(s.Entries(), func(e *catalog.Entry) bool { return e.Origin.Path == name })
				if e >= 0 {
					t.Errorf("%s is served: %q", name, s.Entries()[e].Body.Text())
				}
				if !named[name] && filepath.Ext(name) != "" && filepath.Dir(name) != "docs" && name != "b.md" {
					t.Errorf("%s is not named:\n%s", name, summary(s))
				}
			}
			for _, e := range s.Entries() {
				if strings.Contains(e.Body.Text(), "SECRET") {
					t.Errorf("%s: %s", e.Origin.Path, e.Body.Text())
				}
			}
		})
	}
}

// TestLinksWithinBounds checks that permitted links are followed.
func TestLinksWithinBounds(t *testing.T) {
	t.Parallel()
	for link1, want := range map[string]string{
		"docs/plain.md":               "plain",
		"./docs/../docs//plain.md":    "plain",
		"way/plain.md":                "plain",
		"chain.md":                    "plain",
		"_shared/rules.markdown":      "shared",
		".cursorrules":                "cursor",
		".github/prompts/a.prompt.md": "prompt",
	} {
		dir := t.TempDir()
		writeFiles(t, dir, secrets)
		link(t, dir, map[string]string{"CLAUDE.md": link1, "way": "docs", "chain.md": "way/plain.md"})
		s := load(t, dir)
		if got := get(t, s, "claude").Body.Text(); got != want {
			t.Errorf("%s: got %q, want %q", link1, got, want)
		}
		var bodies sync.Map
		if err := NewFolder(dir).Reread(t.Context(), s.Entries(), func(id catalog.ID, body string) { bodies.Store(id, body) }); err != nil {
			t.Error(err)
		}
		if body, _ := bodies.Load(catalog.ID("claude")); body != want {
			t.Errorf("%s: read again, it is %q", link1, body)
		}
	}
}

// TestReplacedByALink checks that a file is not read if it has become a link, or the
// target of a link has changed, since it was listed.
func TestReplacedByALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, secrets)
	writeFiles(t, dir, map[string]string{"AGENTS.md": "agents", "docs/sub/a.md": "a", ".git/sub/a.md": "SECRET", ".git/plain.md": "SECRET"})
	link(t, dir, map[string]string{"CLAUDE.md": "docs/plain.md", "GEMINI.md": "docs/sub/a.md"})
	s := load(t, dir)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, err := range []error{
		os.Remove(at("AGENTS.md")), os.Symlink(".env", at("AGENTS.md")),
		os.RemoveAll(at("docs")), os.Symlink(".git", at("docs")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r := newFileReader(root, nil)
	defer r.Close()
	for _, name := range []string{"AGENTS.md", "docs/plain.md", "docs/sub/a.md"} {
		if got := readAndInterpret(r, candidate{dirEntry: &dirEntry{path: name}}); got.Entry != nil {
			t.Errorf("%s: %q", name, got.Entry.Body.Text())
		}
	}
	err = NewFolder(dir).Reread(t.Context(), s.Entries(), func(id catalog.ID, body string) {
		if strings.Contains(body, "SECRET") {
			t.Errorf("%s: %q", id, body)
		}
	})
	if err != nil {
		t.Error(err)
	}
}
