package source_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"instruction-catalog/catalog/source"
)

func TestSkillFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".claude/skills/deploy/SKILL.md":            "---\nname: deploy\ndescription: Deploys.\n---\nSee references/plan.md.\n",
		".claude/skills/deploy/references/plan.md":  "Plan.\n",
		".claude/skills/deploy/references/SKILL.md": "A sample.\n",
		".claude/skills/deploy/scripts/run.sh":      "#!/bin/sh\n",
		".claude/skills/deploy/logo.png":            "\x89PNG\r\n\x1a\n\x00",
		".claude/skills/deploy/.env":                "TOKEN=x",
		".claude/skills/deploy/_draft.md":           "Not yet.",
		".claude/skills/deploy/.cache/x":            "x",
		".claude/skills/deploy/node_modules/a/b.js": "x",
		".claude/skills/deploy/out/build.log":       "x",
		".claude/skills/deploy/secret.pem":          "x",
		".claude/skills/deploy/.gitignore":          "out/\n",
		".gitignore":                                "*.pem\n",
		".claude/skills/other/SKILL.md":             "---\nname: other\ndescription: Others.\n---\nx\n",
		"AGENTS.md":                                 "Top.\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../../../AGENTS.md", filepath.Join(dir, ".claude/skills/deploy/link.md")); err != nil {
		t.Log("no links here:", err)
	}
	from := source.New(dir)
	s, err := from.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"claude-skills-deploy": {"_draft.md", "logo.png", "references/SKILL.md", "references/plan.md", "scripts/run.sh"},
		"claude-skills-other":  nil,
	}
	for id, files := range want {
		e, ok := s.Get(id)
		if !ok || !from.IsSkillFolder(e) {
			t.Fatalf("%s: no skill", id)
		}
		got, err := from.SkillFiles(t.Context(), e)
		if err != nil || !slices.Equal(got, files) {
			t.Errorf("%s: %q, %v, want %q", id, got, err, files)
		}
	}
	deploy, _ := s.Get("claude-skills-deploy")
	if data, err := from.ReadSkillFile(deploy, "references/plan.md"); err != nil || string(data) != "Plan.\n" {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := from.ReadSkillFile(deploy, "../../../../etc/passwd"); err == nil {
		t.Errorf("read outside of the folder: %q", data)
	}
	if agents, _ := s.Get("agents"); from.IsSkillFolder(agents) {
		t.Error("AGENTS.md is no skill")
	}
}
