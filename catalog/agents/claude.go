package agents

import (
	"path"
	"strings"
)

const byClaude = "Claude Code"

// ClaudeImportHops is the maximum depth of imports that Claude Code follows.
const ClaudeImportHops = 4

var claudeCode = Agent{
	Name: "claude-code", Title: byClaude,
	Paths: []Path{
		{Pattern: "{,**/}{,.claude/}CLAUDE.md"},
		{Pattern: "{,**/}CLAUDE.local.md"},
		{Pattern: ".claude/{rules,skills,agents,commands}/**"},
		{Pattern: "{,**/}{,.claude/}AGENTS.md", Unless: []string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"}},
	},
	Target: &Target{
		Name: "claude-code", Rules: ".claude/rules/*.md", Skills: ".claude/skills", ByAgent: BySkill,
		Front: func(i Intent) string {
			if i.Load != Glob {
				return ""
			}
			return yamlList("paths", i.Globs)
		},
		kinds:  []Kind{Claude, ClaudeLocal, ClaudeRule, ClaudeAgent, ClaudeCommand, ImportedFile},
		skills: []string{".claude"},
	},
	Facts: []Fact{
		{"memory, rules, imports and limits", "ericbuess/claude-code-docs docs/memory.md, names 2.1.283", "2026-11-21"},
		{"AGENTS.md since 2.1.277, unless a CLAUDE.md is in the folder or above it", "agentsmd/agents.md#244, python-pillow/Pillow#10027", "2026-09-18"},
	},
	rows: []Row{
		{Pattern: "{,.claude/}CLAUDE.md", Kind: Claude, Readers: byClaude + " and others", scope: below},
		{Pattern: "CLAUDE.local.md", Kind: ClaudeLocal, Readers: byClaude, scope: below},
		{Pattern: ".claude/rules/**/*.md", Kind: ClaudeRule, Readers: byClaude + ", GitHub Copilot in VS Code", scope: below},
		{Pattern: ".claude/agents/**/*.md", Kind: ClaudeAgent, Readers: byClaude},
		{Pattern: ".claude/commands/**/*.md", Kind: ClaudeCommand, Readers: byClaude},
	},
	forms: []form{
		{kind: Claude, imports: ImportedFile},
		{kind: ClaudeLocal, imports: ImportedFile},
		{kind: ImportedFile, imports: ImportedFile}, // imported by a CLAUDE.md or GEMINI.md
		{
			kind: ClaudeRule, reads: []string{"paths"}, read: (*reader).readClaudeRule,
			loaded: "`glob` by `paths`, a list or a comma-separated string; else `always`, even if the front matter is not valid YAML",
		},
		{kind: ClaudeAgent, reads: []string{"name", "description"}, loaded: "`persona`", read: (*reader).readClaudeAgent},
		{kind: ClaudeCommand, reads: []string{"description"}, loaded: "`command`", read: (*reader).command},
	},
}

func (r *reader) readClaudeRule() {
	switch {
	case r.front.Broken:
		r.always()
		r.warn(BrokenYAML, "", "the front matter is not valid YAML: Claude Code ignores it and always loads the rule; put globs in quotes")
	case r.globs("paths"):
	default:
		r.always()
		r.warnOfForeignGlobs("paths", "Claude Code")
	}
}

// readClaudeAgent reads a persona. It warns of each missing field that Claude Code
// requires.
func (r *reader) readClaudeAgent() {
	r.Load = Persona
	named := r.front.Fields["name"].says() || r.front.Fields["description"].says()
	if !named && strings.EqualFold(path.Base(r.path), "README.md") {
		r.never("it has neither name nor description: Claude Code skips it")
		r.Off = true // a README.md is for people
		return
	}
	for _, field := range []string{"name", "description"} {
		if !r.front.Fields[field].says() {
			r.warn(PersonaField, field, "missing: Claude Code skips a persona without it")
		}
	}
}
