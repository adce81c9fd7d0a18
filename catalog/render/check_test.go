package render_test

import (
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/render"
)

func nothing(string) bool { return false }

// dueOf returns the files that the named targets need, and the warnings.
func dueOf(t *testing.T, files map[string]string, names ...string) ([]render.File, []render.Warning) {
	t.Helper()
	var targets []*agents.Target
	for _, name := range names {
		targets = append(targets, agents.TargetNamed(name))
	}
	return render.Files(sources(t, files), targets)
}

func TestNothingTwice(t *testing.T) {
	t.Parallel()
	rule := map[string]string{"a.md": "# A\n"}
	for _, tt := range []struct {
		targets string
		exists  string
		want    string // the agents that load it twice, and the target to drop
	}{
		{"cursor", "", ""},
		{"claude-code cursor", "", ""},
		{"agents cursor", "", "Cursor/cursor"},
		{"agents claude-code", "", "Claude Code/claude-code Copilot in VS Code/claude-code"},
		{"agents claude-code", "CLAUDE.md", "Copilot in VS Code/claude-code"},
		{"agents kiro", "", "Kiro/kiro"},
		{"agents gemini", "", "Copilot CLI/gemini"},
		{"cline devin kiro", "", ""},
	} {
		files, _ := dueOf(t, rule, strings.Fields(tt.targets)...)
		var got []string
		for _, w := range render.Check(files, func(p string) bool { return p == tt.exists }) {
			agent, _, _ := strings.Cut(w.Message, " loads ")
			got = append(got, agent+"/"+w.Target)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s with %q: %v, want %s", tt.targets, tt.exists, got, tt.want)
		}
	}
}

func TestNothingTooLong(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return "# T\n\n" + strings.Repeat("é", n-5) + "\n" }
	for _, tt := range []struct {
		target string
		files  map[string]string
		want   string // the entries that are cut
	}{
		{"devin", map[string]string{"a.md": long(11_999)}, ""},
		{"devin", map[string]string{"a.md": long(12_001)}, "a"},
		{"copilot", map[string]string{"a.md": "---\npriority: 1\n---\n" + long(3_000), "b.md": long(3_000), "c.md": "C\n"}, "b c"},
		{"agents", map[string]string{"a.md": long(16_000), "b.md": long(1_000)}, "b"},
		{"agents", map[string]string{"a.md": long(10_000), "b.md": "---\nappliesTo: [web/**]\n---\n" + long(6_500)}, "b"},
		{"agents", map[string]string{"a.md": "---\nappliesTo: [api/**]\n---\n" + long(10_000), "b.md": "---\nappliesTo: [web/**]\n---\n" + long(10_000)}, ""},
	} {
		files, _ := dueOf(t, tt.files, tt.target)
		var got []string
		for _, w := range render.Check(files, nothing) {
			got = append(got, string(w.ID))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.target, got, tt.want)
		}
	}
}

// If two entries need the same path, the first by priority, then by id, gets it.
func TestOnePathForTwo(t *testing.T) {
	t.Parallel()
	files, warnings := dueOf(t, map[string]string{
		".claude/rules/A.md": "Theirs.\n", "a.md": "---\npriority: 1\n---\nOurs.\n", "b.md": "---\nid: x\n---\nAnother.\n",
	}, "claude-code")
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path+"="+strings.TrimSpace(string(f.Content)))
	}
	if got := strings.Join(paths, " "); got != ".claude/rules/a.md=Ours. .claude/rules/x.md=Another." {
		t.Errorf("got %s", got)
	}
	if len(warnings) != 1 || warnings[0].ID != "claude-rules-a" || warnings[0].Path != ".claude/rules/A.md" {
		t.Errorf("warnings %+v", warnings)
	}
}

// A marker in a body would end the region early.
func TestMarkersInABody(t *testing.T) {
	t.Parallel()
	files, warnings := dueOf(t, map[string]string{"a.md": "See\n" + render.End + "\n", "b.md": "B\n"}, "agents")
	if len(files) != 1 || len(files[0].Entries) != 1 || files[0].Entries[0].ID != "b" || len(warnings) != 1 || warnings[0].Field != "body" {
		t.Errorf("%+v %+v", files, warnings)
	}
}

// Globs never yield a folder outside the repository, or one of git or another tool.
func TestFoldersOfGlobs(t *testing.T) {
	t.Parallel()
	for g, want := range map[string]string{
		"web/**":         "web/AGENTS.md",
		"web/a*/**":      "web/AGENTS.md",
		"web/[ab]/x.ts":  "web/AGENTS.md",
		"a b/c/*.ts":     "a b/c/AGENTS.md",
		"**/*.ts":        "AGENTS.md",
		"x.ts":           "AGENTS.md",
		".git/**":        "AGENTS.md",
		".GIT/hooks/*":   "AGENTS.md",
		"web/.git/x/*":   "AGENTS.md",
		"../up/**":       "AGENTS.md",
		"../../etc/**":   "AGENTS.md",
		"!web/**":        "AGENTS.md",
		"C:/x/**":        "AGENTS.md",
		"{web,api}/**":   "AGENTS.md",
		"a/./b/../c/*.x": "a/c/AGENTS.md",
	} {
		files, _ := dueOf(t, map[string]string{"a.md": fmt.Sprintf("---\nload: glob\nappliesTo: [%q]\n---\nA\n", g)}, "agents")
		if len(files) != 1 || files[0].Path != want {
			t.Errorf("%s: %+v, want %s", g, files, want)
		}
	}
}

// A warning names the imports that are not followed from the rendered file.
func TestImportsAreNamed(t *testing.T) {
	t.Parallel()
	_, warnings := dueOf(t, map[string]string{"CLAUDE.md": "# Ours\n\n@docs/a.md and @b.md\n"}, "claude-code", "cursor")
	if len(warnings) != 1 || warnings[0].Target != "cursor" || warnings[0].Field != "body" || !strings.Contains(warnings[0].Message, "docs/a.md, b.md") {
		t.Errorf("%+v", warnings)
	}
}

// The path that an entry was imported from comes with the catalog. An entry is not
// written to a path that does not fit its kind.
func TestHostilePaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, imported string }{
		{".claude/rules/a.md", ".git/hooks/pre-commit"},
		{".claude/rules/a.md", ".claude/skills/a/run.sh"},
		{".claude/rules/a.md", ".claude/rules/../../Makefile"},
		{".claude/rules/a.md", "../.claude/rules/a.md"},
		{".claude/rules/a.md", "/etc/.claude/rules/a.md"},
		{".claude/rules/a.md", "AGENTS.md"},
		{".claude/rules/a.md", "main.go"},
		{"AGENTS.md", ".github/workflows/ci.yml"},
		{"plugins/a/agents/scout.md", ".github/agents.md"},
		{"plugins/a/agents/scout.md", "Makefile"},
		{".agents/skills/a/SKILL.md", ".git/skills/a/SKILL.md"},
	} {
		all := sources(t, map[string]string{tt.file: "---\nname: a\ndescription: A\n---\nA\n"})
		all[0].Path = tt.imported
		all[0].Files = map[string][]byte{"../../settings.json": []byte("{}"), ".git/config": nil, "/etc/passwd": nil}
		files, _ := render.Files(all, agents.Targets())
		for _, f := range files {
			if f.Path == tt.imported && f.Path != "AGENTS.md" || strings.HasSuffix(f.Path, "settings.json") || strings.Contains(f.Path, ".git/") || !agents.IsSafe(f.Path) {
				t.Errorf("%s of %s is due %s", tt.imported, tt.file, f.Path)
			}
			if f.Path == tt.imported && !f.Region {
				t.Errorf("%s of %s is due as a whole", tt.imported, tt.file)
			}
		}
	}
}
