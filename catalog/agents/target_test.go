package agents_test

import (
	"testing"

	"instruction-catalog/catalog/agents"
)

func TestMayWrite(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"AGENTS.md":                                "agents",
		"api/v2/AGENTS.md":                         "agents",
		".claude/AGENTS.md":                        "agents",
		".agents/skills/a/SKILL.md":                "agents",
		".agents/skills/a/scripts/run.sh":          "agents",
		".rules":                                   "agents",
		".junie/playbook.md":                       "agents",
		"CLAUDE.md":                                "claude-code",
		".claude/rules/a/b.md":                     "claude-code",
		".claude/skills/a/form.md":                 "claude-code",
		".github/copilot-instructions.md":          "copilot",
		".github/instructions/a/b.instructions.md": "copilot",
		".github/skills/a/SKILL.md":                "copilot",
		"web/.cursor/rules/a.mdc":                  "cursor",
		".cursorrules":                             "cursor",
		"web/GEMINI.md":                            "gemini",
		".gemini/commands/a/b.toml":                "gemini",
		".clinerules/a.md":                         "cline",
		".windsurf/skills/a/SKILL.md":              "devin",
		".devin/rules/a.md":                        "devin",
		".kiro/steering/a.md":                      "kiro",

		".git/config":                          "",
		".git/AGENTS.md":                       "",
		"a/.GIT/hooks/AGENTS.md":               "",
		"../AGENTS.md":                         "",
		"a/../../AGENTS.md":                    "",
		"/AGENTS.md":                           "",
		"./AGENTS.md":                          "",
		"a//AGENTS.md":                         "",
		`a\AGENTS.md`:                          "",
		"C:/AGENTS.md":                         "",
		"a\n/AGENTS.md":                        "",
		"a./AGENTS.md":                         "",
		".agents/skills/../../.git/config":     "",
		"main.go":                              "",
		"README.md":                            "",
		".github/workflows/ci.yml":             "",
		".claude/settings.json":                "",
		".cursor/rules/a.md":                   "",
		".clinerules/hooks/a.sh":               "",
		".kiro/steering/deep/a.md":             "",
		"opencode.json":                        "",
		".catalog/rendered.json":               "",
		".agents/skills/.git/hooks/pre-commit": "",
	} {
		got := ""
		for _, target := range agents.Targets() {
			if target.MayWrite(path) {
				got += target.Name
			}
		}
		if got != want {
			t.Errorf("%q may be written for %q, want %q", path, got, want)
		}
	}
}

// Every target has a path for rules or a shared file, and each agent names the sources
// of its facts.
func TestAgentsAreWhole(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, a := range agents.All() {
		if names[a.Name] || a.Title == "" || len(a.Paths) == 0 || len(a.Facts) == 0 {
			t.Errorf("%q is declared twice or in part", a.Name)
		}
		names[a.Name] = true
		for _, f := range a.Facts {
			if f.About == "" || f.Source == "" || f.Date == "" {
				t.Errorf("%s: %+v lacks something", a.Name, f)
			}
		}
		if w := a.Target; w != nil && (w.Name != a.Name || w.Skills == "" || w.Rules == "" && w.Shared == "") {
			t.Errorf("the target %+v is declared in part", w)
		}
	}
	if n := len(agents.Targets()); n != 8 {
		t.Errorf("%d targets", n)
	}
}
