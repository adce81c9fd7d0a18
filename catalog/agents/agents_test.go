package agents_test

import (
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/glob"
)

func TestAt(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"AGENTS.md":                                "agents .",
		"api/v2/AGENTS.md":                         "agents api/v2",
		".junie/AGENTS.md":                         "agents .",
		"AGENT.md":                                 "agents .",
		"api/AGENTS.override.md":                   "agents-override api",
		"CLAUDE.md":                                "claude .",
		".claude/CLAUDE.md":                        "claude .",
		"api/.claude/CLAUDE.md":                    "claude api",
		"CLAUDE.local.md":                          "claude-local .",
		".claude/rules/a/b.md":                     "claude-rule .",
		"api/.claude/rules/b.md":                   "claude-rule api",
		".claude/agents/scout.md":                  "claude-agent .",
		".claude/commands/db/seed.md":              "claude-command .",
		".claude/skills/pack/SKILL.md":             "skill .",
		"skills/pack/SKILL.md":                     "skill .",
		".claude/skills/pack/notes/a.md":           "skill-resource .",
		".github/copilot-instructions.md":          "copilot .",
		".github/instructions/a/b.instructions.md": "copilot-instructions .",
		"collection/go.instructions.md":            "copilot-instructions .",
		".github/prompts/a.prompt.md":              "copilot-prompt .",
		".github/agents/a.agent.md":                "copilot-agent .",
		".github/agents/a.md":                      "copilot-agent .",
		".github/chatmodes/a.chatmode.md":          "copilot-agent .",
		".cursor/rules/a/b.mdc":                    "cursor .",
		"web/.cursor/rules/a.mdc":                  "cursor web",
		"collection/a.mdc":                         "cursor .",
		".cursor/rules/a.md":                       "cursor .",
		".cursorrules":                             "cursorrules .",
		"web/.cursorrules":                         "cursorrules web",
		"GEMINI.md":                                "gemini .",
		".gemini/commands/a/b.toml":                "gemini-command .",
		".devin/rules/a.md":                        "devin .",
		".windsurf/rules/a.md":                     "devin .",
		".clinerules":                              "cline .",
		".clinerules/a/b.txt":                      "cline .",
		".kiro/steering/a.md":                      "kiro .",
		"src/power/POWER.md":                       "kiro-power .",
		".junie/playbook.md":                       "junie .",
		".junie/rules/a.md":                        "junie .",
		".rules":                                   "zed .",
		"opencode.jsonc":                           "opencode-config .",

		"README.md":                   "",
		"agents.md":                   "",
		".github/workflows/ci.md":     "",
		".vscode/x.instructions.md":   "",
		".claude/settings.json":       "",
		"copilot-instructions.md":     "",
		"docs/agents/how.md":          "",
		"skills/pack/references/a.md": "",
	} {
		p, ok := agents.At(path)
		got := ""
		if ok {
			got = string(p.Kind) + " " + p.Folder
		}
		if got != want {
			t.Errorf("At(%q) is %q, want %q", path, got, want)
		}
	}
}

// fields returns front matter with the given texts. The text true is the boolean, a
// text in double quotes is quoted, and a text in brackets is a list.
func fields(texts map[string]string) agents.FrontMatter {
	f := agents.FrontMatter{Fields: map[string]agents.Value{}}
	for name, s := range texts {
		v := agents.Value{Text: s, IsTrue: s == "true"}
		switch {
		case strings.HasPrefix(s, `"`):
			v = agents.Value{Text: strings.Trim(s, `"`), Quoted: true}
		case strings.HasPrefix(s, "["):
			v = agents.Value{Items: strings.Fields(strings.Trim(s, "[]")), IsList: true}
		case name == "broken":
			f.Broken = true
			continue
		}
		f.Fields[name] = v
	}
	return f
}

func TestRead(t *testing.T) {
	t.Parallel()
	type front = map[string]string
	for _, tt := range []struct {
		path    string
		front   front
		load    string
		globs   string // with blanks between them
		warning string // a part of one; "" for none
	}{
		{"AGENTS.md", front{"owner": "us"}, "always", "", ""},
		{"a/AGENTS.md", nil, "directory", "", ""},
		{"a/CLAUDE.md", nil, "directory", "", ""},
		{"a/.cursor/rules/x.mdc", front{"alwaysApply": "true"}, "directory", "", ""},
		{"a/.cursor/rules/x.mdc", front{"globs": "*.go"}, "glob", "*.go", ""},

		{".claude/rules/x.md", nil, "always", "", ""},
		{".claude/rules/x.md", front{"paths": "a/**, b/{c,d}/*.go"}, "glob", "a/** b/{c,d}/*.go", ""},
		{".claude/rules/x.md", front{"paths": "[a/** b]"}, "glob", "a/** b", ""},
		{".claude/rules/x.md", front{"paths": "*.go", "broken": "yes"}, "always", "", "always loads"},
		{".claude/rules/x.md", front{"globs": "*.go"}, "always", "", "write paths"},
		{".claude/agents/x.md", front{"name": "x", "description": "x"}, "persona", "", ""},
		{".claude/agents/x.md", front{"name": "x"}, "persona", "", "skips"},
		{".claude/agents/README.md", nil, "never", "", ""},
		{".claude/agents/README.md", front{"name": "x"}, "persona", "", "skips"},
		{".claude/commands/x.md", nil, "command", "", ""},

		{"skills/pack/SKILL.md", front{"name": "pack", "description": "Packs."}, "skill", "", ""},
		{"skills/pack/SKILL.md", front{"description": "Packs."}, "skill", "", "missing"},
		{"skills/pack/SKILL.md", front{"name": "pack"}, "skill", "", "missing"},
		{"skills/pack/SKILL.md", front{"name": "bag", "description": "Packs."}, "skill", "", "the folder"},
		{"SKILL.md", front{"name": "bag", "description": "Packs."}, "skill", "", ""},
		{"skills/pack/SKILL.md", front{"name": "Pack it", "description": "Packs."}, "skill", "", "VS Code does not load"},
		{"skills/p--q/SKILL.md", front{"name": "p--q", "description": "Packs."}, "skill", "", "VS Code does not load"},
		{".claude/skills/pack/a.md", nil, "on-demand", "", ""},

		{".github/copilot-instructions.md", nil, "always", "", ""},
		{".github/instructions/x.instructions.md", front{"applyTo": "**"}, "glob", "**", ""},
		{".github/instructions/x.instructions.md", front{"description": "x"}, "manual", "", ""},
		{".github/instructions/x.instructions.md", front{"globs": "*.go"}, "manual", "", "write applyTo"},
		{".github/prompts/x.prompt.md", nil, "command", "", ""},
		{".github/agents/x.agent.md", nil, "persona", "", ""},
		{".github/instructions/x.instructions.md", nil, "manual", "", "attaches"},

		{".cursor/rules/x.mdc", nil, "manual", "", ""},
		{".cursor/rules/x.mdc", front{"alwaysApply": "true", "globs": "*.go"}, "always", "", ""},
		{".cursor/rules/x.mdc", front{"globs": "*.go,a/{b,c}.go"}, "glob", "*.go a/{b,c}.go", ""},
		{".cursor/rules/x.mdc", front{"globs": "a [b/**"}, "glob", "a [b/**", "matches nothing"},
		{".cursor/rules/x.mdc", front{"globs": "*.go # Go"}, "glob", "*.go # Go", "the comment"},
		{".cursor/rules/x.mdc", front{"globs": "*.c#, a#b"}, "glob", "*.c# a#b", ""},
		{".cursor/rules/x.mdc", front{"globs": `a\**`}, "glob", `a\**`, "between folders"},
		{".cursor/rules/x.mdc", front{"globs": `a\[b]`}, "glob", `a\[b]`, ""},
		{".cursor/rules/x.mdc", front{"globs": "[*.go a]"}, "glob", "*.go a", ""},
		{".cursor/rules/x.mdc", front{"globs": `"*.go"`, "description": "x"}, "manual", `"*.go"`, "quotes"},
		{".cursor/rules/x.mdc", front{"alwaysApply": `"true"`, "description": "x"}, "agent", "", "quotes"},
		{".cursor/rules/x.mdc", front{"alwaysApply": "flase", "globs": "*.go"}, "glob", "*.go", "neither true nor false"},
		{".cursor/rules/x.mdc", front{"alwaysApply": "false", "globs": "*.go", "paths": "*.go"}, "glob", "*.go", ""},
		{".cursor/rules/x.mdc", front{"applyTo": "*.go", "description": "x"}, "agent", "", "write globs"},
		{".cursor/rules/x.mdc", front{"applyTo": "*.go", "alwaysApply": "true"}, "always", "", ""},
		{".cursor/rules/x.md", front{"alwaysApply": "true"}, "never", "", ""},
		{".cursorrules", nil, "always", "", ""},

		{".devin/rules/x.md", front{"trigger": "always_on"}, "always", "", ""},
		{".devin/rules/x.md", front{"trigger": "glob", "globs": "a, b"}, "glob", "a b", ""},
		{".devin/rules/x.md", front{"trigger": "glob"}, "manual", "", "needs globs"},
		{".devin/rules/x.md", front{"trigger": "model_decision"}, "agent", "", ""},
		{".windsurf/rules/x.md", front{"trigger": "manual"}, "manual", "", ""},
		{".windsurf/rules/x.md", front{"trigger": "often"}, "always", "", "is not always_on"},
		{".windsurf/rules/x.md", front{"globs": "*.go"}, "always", "", "trigger is missing"},
		{".windsurf/rules/x.md", nil, "always", "", ""},
		{".windsurfrules", nil, "always", "", ""},

		{".clinerules/x.txt", nil, "always", "", ""},
		{".clinerules/x.md", front{"paths": "[a/**]"}, "glob", "a/**", ""},
		{".clinerules/x.md", front{"paths": "[]"}, "never", "", ""},
		{".clinerules/x.md", front{"paths": "a/**"}, "always", "", "not a list"},
		{".clinerules/x.md", front{"broken": "yes"}, "always", "", "fr"},
		{".clinerules/workflows/x.md", nil, "command", "", ""},
		{".clinerules/hooks/x.md", nil, "never", "", ""},

		{".kiro/steering/x.md", nil, "always", "", ""},
		{".kiro/steering/x.md", front{"inclusion": "fileMatch", "fileMatchPattern": "*.go"}, "glob", "*.go", ""},
		{".kiro/steering/x.md", front{"inclusion": "fileMatch"}, "never", "", ""},
		{".kiro/steering/x.md", front{"inclusion": "auto"}, "agent", "", ""},
		{".kiro/steering/x.md", front{"inclusion": "manual"}, "manual", "", ""},
		{".kiro/steering/x.md", front{"fileMatchPattern": "*.go"}, "always", "", "inclusion: fileMatch"},
		{".kiro/steering/x.md", front{"globs": "*.go"}, "always", "", "write fileMatchPattern"},
		{".kiro/steering/x.md", front{"inclusion": "now"}, "always", "", "is not always"},
		{".kiro/steering/a/x.md", front{"inclusion": "always"}, "never", "", ""},

		{"src/power/POWER.md", front{"name": "x", "description": "d", "keywords": "[a b]"}, "agent", "", ""},

		{".junie/guidelines/a/x.md", nil, "always", "", ""},
		{".rules", nil, "always", "", ""},
		{"GEMINI.md", nil, "always", "", ""},
		{".gemini/commands/x.toml", nil, "command", "", ""},
		{"opencode.json", nil, "config", "", ""},
	} {
		place, ok := agents.At(tt.path)
		if !ok {
			t.Errorf("%s is no agent's file", tt.path)
			continue
		}
		r := place.Read(fields(tt.front), "Do it.")
		if got := strings.Join(r.Globs, " "); string(r.Load) != tt.load || got != tt.globs {
			t.Errorf("%s %v: %s %q, want %s %q", tt.path, tt.front, r.Load, got, tt.load, tt.globs)
		}
		if (r.Load == agents.Never) != (r.Reason != "") {
			t.Errorf("%s %v: %s for the reason %q", tt.path, tt.front, r.Load, r.Reason)
		}
		warned := slices.ContainsFunc(r.Warnings, func(w agents.Warning) bool { return strings.Contains(w.Message, tt.warning) })
		if warned != (tt.warning != "") {
			t.Errorf("%s %v: the warnings are %v, want one with %q", tt.path, tt.front, r.Warnings, tt.warning)
		}
	}
}

// If no agent looks for skills in a folder, a name that agents refuse causes only a
// note.
func TestSkillsElsewhere(t *testing.T) {
	t.Parallel()
	for path, isNote := range map[string]bool{
		".github/skills/a/SKILL.md":       false,
		"api/.agents/skills/a/SKILL.md":   false,
		"plugins/x/skills/a/SKILL.md":     false,
		"packages/x/skills/SKILL.md":      false,
		"skills/public/a/SKILL.md":        true,
		"tools/a/SKILL.md":                true,
		"assets/skills/more/a/b/SKILL.md": true,
	} {
		place, _ := agents.At(path)
		r := place.Read(fields(map[string]string{"name": "Other name", "description": "d"}), "")
		if len(r.Warnings) != 1 || r.Warnings[0].Rule != agents.SkillName || r.Warnings[0].Note != isNote {
			t.Errorf("%s: %v, want a note: %v", path, r.Warnings, isNote)
		}
	}
}

// amp returns the place of a file that an AGENTS.md mentions.
func amp() agents.Place {
	p, _ := agents.At("AGENTS.md")
	mentioned, _ := p.Imported()
	return mentioned
}

func TestReadAmp(t *testing.T) {
	t.Parallel()
	r := amp().Read(fields(map[string]string{"globs": "[*.go ./a/** ../b]"}), "")
	if got := strings.Join(r.Globs, " "); got != "**/*.go ./a/** ../b" || r.Load != agents.Glob {
		t.Errorf("%s %s", r.Load, got)
	}
	if r := amp().Read(fields(nil), ""); r.Load != agents.Always {
		t.Errorf("without globs it is loaded %s", r.Load)
	}
}

func TestPlugin(t *testing.T) {
	t.Parallel()
	persona := fields(map[string]string{"name": "scout", "description": "Looks ahead."})
	for path, want := range map[string]agents.Kind{
		"plugins/a/agents/scout.md":  agents.ClaudeAgent,
		"plugins/a/commands/scan.md": agents.ClaudeCommand,
		"plugins/a/agents/scout.txt": "",
		"plugins/a/scout.md":         "",
	} {
		if p, _ := agents.Plugin(path, persona); p.Kind != want {
			t.Errorf("%s is %q, want %q", path, p.Kind, want)
		}
	}
	if _, ok := agents.Plugin("agents/how.md", fields(nil)); ok {
		t.Error("a file without a name is no persona")
	}
}

// Each rule is tested with a file that breaks it and one that nearly does.
func TestRules(t *testing.T) {
	t.Parallel()
	type front = map[string]string
	long := func(n int) string { return strings.Repeat("é", n) }
	for _, tt := range []struct {
		rule, path string
		front      front
		body       string
		want       bool
	}{
		{agents.ApplyToList, ".github/instructions/x.instructions.md", front{"applyTo": "[*.go]"}, "", true},
		{agents.ApplyToList, ".github/instructions/x.instructions.md", front{"applyTo": "*.go, *.ts"}, "", false},
		{agents.ApplyToList, ".claude/rules/x.md", front{"paths": "[*.go]"}, "", false},
		{agents.FileMisplaced, "docs/go.mdc", nil, "", true},
		{agents.FileMisplaced, "web/.cursor/rules/go.mdc", nil, "", false},
		{agents.FileMisplaced, "docs/go.instructions.md", nil, "", true},
		{agents.FileMisplaced, ".github/instructions/web/go.instructions.md", nil, "", false},
		{agents.SizeCopilotReview, ".github/copilot-instructions.md", nil, long(4001), true},
		{agents.SizeCopilotReview, ".github/copilot-instructions.md", nil, long(4000), false},
		{agents.SizeCopilotReview, ".github/instructions/x.instructions.md", nil, long(4001), true},
		{agents.SizeCopilotReview, ".github/instructions/x.instructions.md", front{"excludeAgent": "code-review"}, long(4001), false},
		{agents.SizeCopilotReview, "AGENTS.md", nil, long(4001), false},
		{agents.SizeDevin, ".devin/rules/x.md", front{"trigger": "always_on"}, long(12_001), true},
		{agents.SizeDevin, ".devin/rules/x.md", front{"trigger": "always_on"}, long(12_000), false},
		{agents.SkillName, ".github/skills/pack-it/SKILL.md", front{"name": "Pack_it"}, "", true},
		{agents.SkillName, ".github/skills/pack/SKILL.md", front{"name": "bag"}, "", true},
		{agents.SkillName, ".github/skills/pack-it/SKILL.md", front{"name": "pack-it"}, "", false},
	} {
		p, _ := agents.At(tt.path)
		hit := slices.ContainsFunc(p.Read(fields(tt.front), tt.body).Warnings, func(w agents.Warning) bool { return w.Rule == tt.rule })
		if hit != tt.want {
			t.Errorf("%s finds %s %v with %d bytes: %v", tt.rule, tt.path, tt.front, len(tt.body), hit)
		}
	}
}

func TestReadmeIsNotMisplaced(t *testing.T) {
	t.Parallel()
	for path, off := range map[string]bool{".cursor/rules/README.md": true, ".cursor/rules/go.md": false} {
		p, _ := agents.At(path)
		if r := p.Read(fields(nil), ""); !r.Misplaced || r.Off != off {
			t.Errorf("%s: misplaced %v, off %v", path, r.Misplaced, r.Off)
		}
	}
}

func TestALongRuleIsNamed(t *testing.T) {
	t.Parallel()
	p, _ := agents.At(".devin/rules/x.md")
	front := fields(map[string]string{"trigger": "always_on"})
	if w := p.Read(front, strings.Repeat("é", 12_000)).Warnings; len(w) != 0 {
		t.Errorf("12,000 characters: %v", w)
	}
	if w := p.Read(front, strings.Repeat("é", 12_001)).Warnings; len(w) != 1 {
		t.Errorf("12,001 characters: %v", w)
	}
}

func TestPassedOver(t *testing.T) {
	t.Parallel()
	top := map[agents.Kind]bool{agents.Zed: true, agents.Agents: true, agents.OpenCodeConfig: true}
	for path, want := range map[string]string{"AGENTS.md": "Zed", "CLAUDE.md": "OpenCode", "a/AGENTS.md": "", ".rules": ""} {
		p, _ := agents.At(path)
		if got, _ := p.PassedOver(top); got != want {
			t.Errorf("%s is passed over by %q, want %q", path, got, want)
		}
	}
	p, _ := agents.At("CLAUDE.md")
	if agent, _ := p.PassedOver(map[agents.Kind]bool{agents.OpenCodeConfig: true}); agent != "" {
		t.Errorf("without an AGENTS.md, %s passes over CLAUDE.md", agent)
	}
}

func TestAnchor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		place, globs, path string
		want               bool
	}{
		{".claude/rules/x.md", "**/*.go", "a.go", true},
		{".claude/rules/x.md", "**/*.go", "a/b/c.go", true},
		{".claude/rules/x.md", "*.md", "a.md", true},
		{".claude/rules/x.md", "*.md", "docs/a.md", false},
		{".clinerules/x.md", "*.md", "docs/a.md", false},
		{".kiro/steering/x.md", "*.md", "docs/a.md", false},
		{"x.instructions.md", "*.md", "docs/a.md", false},
		{"x.instructions.md", "**/api/**/*.go", "api/a.go", true},
		{"x.instructions.md", "**", ".github/a.yml", true},
		{".cursor/rules/x.mdc", "*.md", "docs/a.md", true},
		{".cursor/rules/x.mdc", "docs/*.md", "a/docs/b.md", false},
		{"web/.cursor/rules/x.mdc", "*.ts", "web/a/b.ts", true},
		{"web/.cursor/rules/x.mdc", "*.ts", "a.ts", false},
		{".cursor/rules/x.mdc", "src/**, !src/gen/**", "src/a.go", true},
		{".cursor/rules/x.mdc", "src/**, !src/gen/**", "src/gen/a.go", false},
		{".cursor/rules/x.mdc", "src/", "src/a/b.go", true},
		{".claude/rules/x.md", "./src/*.go", "src/a.go", true},
		{".claude/rules/x.md", "/src/*.go", "src/a.go", true},
		{".claude/rules/x.md", "{web,api}/**", "api/a/b.go", true},
		{".claude/rules/x.md", "a [b/**", "a [b/c", false},
		{".claude/rules/x.md", `a \[b/**`, "a [b/c", true},
		{".clinerules/x.md", "**/*.yml", ".github/a.yml", true},
		{".clinerules/x.md", strings.Repeat("{a,a}", 9) + "b", "aaaaaaaaab", true},
		{".clinerules/x.md", strings.Repeat("{a,a}", 40) + "b", strings.Repeat("a", 40) + "b", false},
	} {
		place, _ := agents.At(tt.place)
		globs := place.Anchor(glob.Split(tt.globs))
		if got := glob.Match(globs, tt.path); got != tt.want {
			t.Errorf("%s: %v matches %s: %v", tt.place, globs, tt.path, got)
		}
	}
	amp := amp()
	globs := amp.Anchor(amp.Read(fields(map[string]string{"globs": "*.md"}), "").Globs)
	if !glob.Match(globs, "docs/a.md") {
		t.Errorf("Amp: %v does not match at any depth", globs)
	}
}
