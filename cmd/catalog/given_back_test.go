package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// agentsTree is a repository with files of the agents of some targets.
type agentsTree struct {
	targets string
	files   map[string]string
	broken  map[string]string // files that are no entries
}

// agentsTrees have their files in unusual forms: with byte order marks, all kinds of line
// ends, invalid YAML, invalid UTF-8, comments and fields that no agent reads.
var agentsTrees = map[string]agentsTree{
	"agents": {"agents", map[string]string{
		"AGENTS.md":                            "\ufeff# Bakery\r\n\r\nKeep it warm.",
		"ovens/AGENTS.md":                      "---\nowner: ovens\n---\n\n\nPreheat.\n\n",
		"ovens/AGENTS.override.md":             "Never open it.\n",
		".agents/skills/knead/SKILL.md":        "---\n# ours\nname: knead\ndescription: >-\n  Kneads.\n  Use for dough.\nmetadata:\n  version: \"1.10\"\n---\n# Steps\n",
		".agents/skills/knead/scripts/run.sh":  "#!/bin/sh\r\n\x00",
		".rules":                               "First.\r\nSecond.\n",
		".junie/guidelines.md":                 "```\nnever closed\n",
		".agents/skills/knead/assets/logo.bin": "\xff\xfe\x00",
	}, nil},
	"claude-code": {"claude-code", map[string]string{
		"CLAUDE.md":                    "# Ours\n\n<!-- note -->\n@docs/style.md\n",
		"docs/style.md":                "Plain words.\n",
		".claude/rules/api/errors.md":  "---\npaths:\n  - \"src/**/*.{ts,tsx}\" # code\n  - 'lib/[a-c]*.ts'\n---\n\nWrap errors.\n",
		".claude/rules/broken.md":      "---\npaths: **/*.go\n---\nHandle errors.\n",
		".claude/agents/reviewer.md":   "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nRead it all.\n",
		".claude/commands/git/tidy.md": "---\nargument-hint: [branch]\n---\nTidy $1.\n",
	}, nil},
	"copilot": {"copilot", map[string]string{
		".github/copilot-instructions.md":            "# Copilot\n",
		".github/instructions/web/x.instructions.md": "---\nname: React\ndescription: 'Components: ours'\napplyTo: '**/*.ts,**/*.tsx'\nexcludeAgent: code-review\n---\nUse hooks.\n",
		".github/prompts/form.prompt.md":             "---\nagent: agent\n---\nMake a form.\n",
	}, map[string]string{".github/instructions/empty.instructions.md": "---\napplyTo: '**'\n---\n"}},
	"cursor": {"cursor", map[string]string{
		".cursor/rules/bare.mdc":      "---\ndescription: TypeScript\nglobs: **/*.ts, **/*.tsx\nalwaysApply: false\n---\nNo any.\n",
		".cursor/rules/windows.mdc":   "\ufeff---\r\nglobs: *.cs,*.csproj\r\nalwaysApply: false\r\n---\r\nUse var.\r\n",
		".cursor/rules/quoted.mdc":    "---\nglobs: \"**/*.py\"\nalwaysApply: \"true\"\n---\nType it.\n",
		"web/.cursor/rules/forms.mdc": "---\nglobs: *.vue\n---\nLabel fields.\n",
		".cursorrules":                "Old rules.\n",
	}, map[string]string{
		".cursor/rules/latin.mdc":  "---\ndescription: Caf\xe9\n---\nUse UTF-8.\n",
		".cursor/rules/mac.mdc":    "---\rdescription: Old\r---\rLines.\r",
		".cursor/rules/open.mdc":   "---\ndescription: Never closed\n",
		".cursor/rules/empty.mdc":  "",
		".cursor/rules/ignored.md": "Cursor does not read it.\n",
	}},
	"others": {"gemini devin cline kiro", map[string]string{
		"services/GEMINI.md":             "# Gemini\n",
		".gemini/commands/new/form.toml": "description = \"A form\" # short\nprompt = \"\"\"\nMake a form.\n\"\"\"\n",
		".devin/rules/glob.md":           "---\ntrigger: glob\nglobs: **/*.rs\n---\nNo unsafe.\n",
		".windsurf/rules/model.md":       "---\ntrigger: model_decision\ndescription: For tables\n---\nAlign.\n",
		".clinerules/scoped.md":          "---\npaths:\n  - \"api/**\"\n---\nAnswer fast.\n",
		".clinerules/notes.txt":          "Plain text.",
		".kiro/steering/match.md":        "---\ninclusion: fileMatch\nfileMatchPattern: [\"app/**/*.kt\"]\n---\nKotlin.\n",
	}, nil},
}

// TestGivenBack imports the files of agents and renders them for the same agents. Files
// that are there stay untouched, with their times; those that were removed come back with
// every byte. A second render writes nothing.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	p := build(t)
	for name, tree := range agentsTrees {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &sequence{T: t, program: p, dir: t.TempDir()}
			s.put("shop/.git/HEAD", "")
			for _, files := range []map[string]string{tree.files, tree.broken} {
				for name, text := range files {
					s.put("shop/"+name, text)
				}
			}
			s.catalog("import", "--dir", "../rules")
			render := append([]string{"render", "--dir", "../rules"}, strings.Fields(tree.targets)...)
			before := s.times()
			s.catalog(render...)
			for name, was := range s.times() {
				if _, isFile := tree.files[name]; isFile && !was.Equal(before[name]) {
					t.Errorf("%s is written", name)
				}
			}
			for name := range tree.files {
				if err := os.Remove(filepath.Join(s.dir, "shop", filepath.FromSlash(name))); err != nil {
					t.Error(err)
				}
			}
			s.catalog(render...)
			texts := s.texts()
			for _, files := range []map[string]string{tree.files, tree.broken} {
				for name, want := range files {
					if got, ok := texts["shop/"+name]; !ok || got != want {
						t.Errorf("%s: got %q, want %q", name, got, want)
					}
				}
			}
			before = s.times()
			s.catalog(render...)
			for name, was := range s.times() {
				if !was.Equal(before[name]) {
					t.Errorf("a second render writes %s", name)
				}
			}
		})
	}
}

// times returns when each file and folder of the repository was changed last.
func (s *sequence) times() map[string]time.Time {
	all := map[string]time.Time{}
	top := filepath.Join(s.dir, "shop")
	err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			name, _ := filepath.Rel(top, file)
			all[filepath.ToSlash(name)] = info.ModTime()
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}
