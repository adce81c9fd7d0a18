package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// TestRepository checks which folders are treated as repositories. In those, a.md is not
// an entry.
func TestRepository(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		files string
		want  bool
	}{
		{"a.md", false},
		{"AGENTS.md", false}, // it may be meant for the authors of the catalog
		{".git/config", false},
		{".github/workflows/x.md", false},
		{".vscode/x.instructions.md", false},
		{"deep/.cursor/rules/x.mdc", false},
		{".git/config AGENTS.md", true},
		{".git CLAUDE.md", true},
		{".git/config instructions/b.md", true},
		{".git/config deep/AGENTS.md", true},
		{".git/config deep/skills/x/SKILL.md", true},
		{".git/config rules/x.mdc", false},
		{".git/config deep/AGENTS.md gates.json", false},
		{".cursorrules", true},
		{".cursor/rules/x.mdc", true},
		{".github/copilot-instructions.md", true},
		{".claude/skills/x/SKILL.md", true},
		{".cursorrules gates.json", false},
		{".git/config AGENTS.md gates.json", false},
	} {
		dir := t.TempDir()
		files := map[string]string{"a.md": "A"}
		for _, name := range strings.Fields(tt.files) {
			files[name] = "---\nname: x\ndescription: d\n---\n" + name
		}
		writeFiles(t, dir, files)
		if _, served := load(t, dir).Get("a"); served == tt.want {
			t.Errorf("%s: a.md is served: %v", tt.files, served)
		}
	}
}

// TestSkillIsOneEntry checks that files next to a SKILL.md are part of the skill, both
// in a catalog and in a repository, except for files next to a SKILL.md at the top.
func TestSkillIsOneEntry(t *testing.T) {
	t.Parallel()
	for _, top := range []string{"", ".claude/", "deep/er/"} {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{
			top + "skills/wash/SKILL.md":       "---\nname: wash\ndescription: Washes.\n---\nWash.",
			top + "skills/wash/a.md":           "A",
			top + "skills/wash/deep/AGENTS.md": "B",
			top + "skills/wash/x.json":         "{",
			top + "skills/wash/run.sh":         "true",
		})
		s := load(t, dir)
		if len(s.Entries()) != 1 || !strings.HasSuffix(string(s.Entries()[0].ID), "skills-wash") || len(s.Diagnostics()) != 1 ||
			!strings.Contains(s.Diagnostics()[0].Message, "not read: 4 files of skills") {
			t.Errorf("%q:\n%s", top, summary(s))
		}
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"SKILL.md": "---\nname: x\ndescription: d\n---\nX", "a.md": "A"})
	expect(t, load(t, dir), "a a.md", "skill SKILL.md")
}

// TestOneBadFile checks that one bad file does not prevent others from being read.
func TestOneBadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nA", ".cursor/rules/b.mdc": "---\nnever: ends", ".cursor/rules/c.mdc": "\xff",
		".cursor/rules/d.mdc": "", ".cursor/rules/e.mdc": "---\rx: y\r---\r", ".gemini/commands/f.toml": "prompt = ",
		".gemini/commands/g.toml": "prompt = \"G\"", ".cursor/rules/h.mdc": "---\ndescription: [a]\nname: {b: c}\n---\nH",
		".claude/rules/i.md": "---\nid: Not Valid\n---\nI", ".clinerules/j.md": "---\npaths: []\n---\nJ",
		".clinerules/k.md": "Be\u200Bware", ".cursor/rules/l.mdc": "---\nglobs: a\nglobs: b\n---\nL",
		".cursor/rules/m.mdc": "---\ndescription: a\ndescription: b\n---\nM",
	})
	s := load(t, dir)
	var ids []string
	for _, e := range s.Entries() {
		ids = append(ids, string(e.ID))
	}
	if want := "[clinerules-k cursor-rules-a cursor-rules-h gemini-commands-g]"; fmt.Sprint(ids) != want {
		t.Errorf("served %s, want %s", ids, want)
	}
	for path, want := range map[string]catalog.Severity{
		".cursor/rules/b.mdc": catalog.SeverityError, ".cursor/rules/c.mdc": catalog.SeverityError,
		".cursor/rules/d.mdc": catalog.SeverityError, ".cursor/rules/e.mdc": catalog.SeverityError,
		".gemini/commands/f.toml": catalog.SeverityError, ".claude/rules/i.md": catalog.SeverityError,
		".cursor/rules/l.mdc": catalog.SeverityError, ".cursor/rules/m.mdc": catalog.SeverityError,
		".clinerules/j.md": catalog.SeverityNote, ".clinerules/k.md": catalog.SeverityWarning,
	} {
		if !slices.ContainsFunc(s.Diagnostics(), func(d catalog.Diagnostic) bool { return d.Path == path && d.Severity == want }) {
			t.Errorf("no %s about %s:\n%s", want, path, summary(s))
		}
	}
}

// TestInvisibleCharacters checks that each invisible character is reported at its first
// position, and tags only once.
func TestInvisibleCharacters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{".clinerules/a.md": "Be\u200Bware\u202E\nof\u202E\u200B\n\U000E0041\U000E0042 👩\u200D💻"})
	expect(t, load(t, dir), "clinerules-a .clinerules/a.md",
		".clinerules/a.md:1: warning: this text contains the invisible character U+200B: remove it, unless you know why it is there",
		".clinerules/a.md:1: warning: this text contains the invisible character U+202E: remove it, unless you know why it is there",
		".clinerules/a.md:3: warning: this text contains the invisible character U+E0041: remove it, unless you know why it is there")

	dir = t.TempDir()
	writeFiles(t, dir, map[string]string{".clinerules/a.md": "Be\tware\f\r\nof \x1b[8m it\x00"})
	expect(t, load(t, dir), "clinerules-a .clinerules/a.md",
		".clinerules/a.md:2: warning: this text contains the invisible character U+001B: remove it, unless you know why it is there",
		".clinerules/a.md:2: warning: this text contains the invisible character U+0000: remove it, unless you know why it is there")
}

// TestMisspeltAgentsFields checks that misspelt fields, which the agent ignores, are
// reported and not read.
func TestMisspeltAgentsFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		".cursor/rules/a.mdc AlwaysApply: true":                "AlwaysApply: its agent does not read it, but alwaysApply: rename it",
		".cursor/rules/a.mdc always_apply: true":               "always_apply: its agent does not read it, but alwaysApply: rename it",
		".cursor/rules/a.mdc glob: a.go":                       "glob: its agent does not read it, but globs: rename it",
		".cursor/rules/a.mdc descripton: A":                    "descripton: its agent does not read it, but description: rename it",
		".github/instructions/a.instructions.md applyto: a.go": "applyto: its agent does not read it, but applyTo: rename it",
		".kiro/steering/a.md Inclusion: now":                   "Inclusion: its agent does not read it, but inclusion: rename it",
		".cursor/rules/a.mdc tags: A":                          "",
		".cursor/rules/a.mdc globs: [a.go], Globs: [b.go]":     "",
		".claude/commands/a.md model: small":                   "",
	} {
		dir := t.TempDir()
		path, front, _ := strings.Cut(text, " ")
		writeFiles(t, dir, map[string]string{path: "---\n" + strings.ReplaceAll(front, ", ", "\n") + "\n---\nA"})
		s := load(t, dir)
		var got []string
		for _, d := range s.Diagnostics() {
			got = append(got, d.Message)
		}
		if strings.Join(got, "\n") != want || len(s.Entries()) != 1 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestLinksToFolders checks that symbolic links to agents' folders are reported, because
// they are not followed.
func TestLinksToFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{".agents/skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\nA", "rules/b.mdc": "B"})
	for link, target := range map[string]string{".claude": ".agents", ".cursor": "rules"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	expect(t, load(t, dir), "agents-skills-a .agents/skills/a/SKILL.md", "rules-b rules/b.mdc",
		`.: note: not read: 2 symbolic links to folders, the first is ".claude": the files in the folder are read in their own place`,
		"rules/b.mdc: note: no agent looks here without a setting: move it to .cursor/rules")
}

// TestImports checks that files imported by a CLAUDE.md or GEMINI.md are loaded, and
// that files which those import are loaded, too.
func TestImports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"CLAUDE.md": "@docs/a.md, `@docs/no.md` and @.cursor/rules/r.md", "docs/a.md": "@b.md @../CLAUDE.md", "docs/b.md": "B",
		"docs/no.md": "No", ".cursor/rules/r.md": "R", "api/GEMINI.md": "@./c.md", "api/c.md": "C",
	})
	s := load(t, dir)
	expect(t, s, "api-c api/c.md", "api-gemini api/GEMINI.md", "claude CLAUDE.md", "cursor-rules-r .cursor/rules/r.md",
		"docs-a docs/a.md", "docs-b docs/b.md",
		`.: note: not read: 1 file *.md, "docs/no.md": no agent loads it by itself, and in a repository only files in instructions/ are entries; name another folder with --dir to read that as a catalog`)
	for id, want := range map[string]catalog.LoadMode{"docs-b": catalog.LoadAlways, "api-c": catalog.LoadDirectory} {
		if e, ok := s.Get(id); !ok || e.Load != want || e.Origin.Format != "import" {
			t.Errorf("%s is loaded %s as %s", id, e.Load, e.Origin.Format)
		}
	}
}

// TestManyKinds checks that the number of notes is limited if there are many kinds of
// files.
func TestManyKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{"a.md": "A"}
	for i := range 50 {
		for j := range 1 + i/25 {
			files[fmt.Sprintf("%d.x%d", j, i)] = ""
		}
	}
	writeFiles(t, dir, files)
	d := load(t, dir).Diagnostics()
	if len(d) != maxUnread+1 || d[maxUnread].Message != "not read: 35 files of 30 other kinds" {
		t.Errorf("%d notes, the last is %s", len(d), d[len(d)-1])
	}
}

func TestPassedOverIsNoted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{".rules": "R", "AGENTS.md": "A"})
	expect(t, load(t, dir), "agents AGENTS.md", "rules .rules",
		"AGENTS.md: note: Zed reads the file of kind zed beside it instead")
}
