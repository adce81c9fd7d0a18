package render_test

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/render"
)

// oddFiles returns agents' files in unusual forms that occur in repositories: invalid
// YAML, byte order marks, all kinds of line endings, and fields of other agents.
func oddFiles() map[string]string {
	return map[string]string{
		"AGENTS.md":                                  "# Bakery\n\nKeep it warm.",
		"ovens/AGENTS.md":                            "Preheat.\r\n",
		"ovens/AGENTS.override.md":                   "Never open it.\n",
		"docs/AGENTS.md":                             "---\nowner: docs\n---\nPlain words.\n",
		"CLAUDE.md":                                  "\ufeff# Ours\n\n<!-- note -->\n@AGENTS.md\n",
		".claude/rules/api/errors.md":                "---\npaths:\n  - \"src/**/*.{ts,tsx}\" # code\n  - 'lib/[a-c]*.ts'\n---\n\nWrap errors.\n",
		".claude/rules/tests.md":                     "---\npaths: tests/**/*.py, **/*_test.py\n---\nOne assertion.\n",
		".claude/rules/broken.md":                    "---\npaths: **/*.go\n---\nHandle errors.\n",
		".claude/agents/reviewer.md":                 "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nRead it all.\n",
		".claude/commands/git/tidy.md":               "---\nargument-hint: [branch]\n---\nTidy $1.\n",
		".agents/skills/table-import/SKILL.md":       "---\nname: table-import\ndescription: >-\n  Imports a table.\n  Use for CSV.\nmetadata:\n  version: \"1.10\"\n---\n# Steps\n",
		".agents/skills/table-import/scripts/run.sh": "#!/bin/sh\r\n\x00",
		".agents/skills/oven-care/SKILL.md":          "---\nname: Oven_Care\ndescription: Cleans.\n---\nClean it.\n",
		".github/copilot-instructions.md":            "# Copilot\n",
		".github/instructions/web/x.instructions.md": "---\nname: React\ndescription: 'Components: ours'\napplyTo: '**/*.ts,**/*.tsx'\nexcludeAgent: code-review\n---\nUse hooks.\n",
		".github/instructions/hand.instructions.md":  "---\ndescription: Only on request\n---\nAsk.\n",
		".github/prompts/form.prompt.md":             "---\nagent: agent\n---\nMake a form.\n",
		".cursor/rules/bare.mdc":                     "---\ndescription: TypeScript\nglobs: **/*.ts, **/*.tsx\nalwaysApply: false\n---\nNo any.\n",
		".cursor/rules/always.mdc":                   "---\ndescription: \nglobs: \nalwaysApply: true\n---\nBe kind.\n",
		".cursor/rules/model.mdc":                    "---\ndescription: Use when: a migration is written\nglobs:\nalwaysApply: false\n---\n# Migrations\n",
		".cursor/rules/windows.mdc":                  "---\r\nglobs: *.cs,*.csproj\r\nalwaysApply: false\r\n---\r\nUse var.\r\n",
		".cursor/rules/braces.mdc":                   "---\nglobs: src/{app,lib}/**/*.{js,ts}, !src/**/gen/**\ntags: [web, build]\nowner: @web\n---\nBundle.\n",
		".cursor/rules/quoted.mdc":                   "---\nglobs: \"**/*.py\"\nalwaysApply: \"true\"\n---\nType it.\n",
		"web/.cursor/rules/forms.mdc":                "---\nglobs: *.vue\n---\nLabel fields.\n",
		".cursorrules":                               "Old rules.\n",
		"GEMINI.md":                                  "# Gemini\n\n@docs/style.md\n",
		".gemini/commands/new/form.toml":             "description = \"A form\"\nprompt = \"\"\"\nMake a form.\n\"\"\"\n",
		".devin/rules/glob.md":                       "---\ntrigger: glob\nglobs: **/*.rs\n---\nNo unsafe.\n",
		".windsurf/rules/model.md":                   "---\ntrigger: model_decision\ndescription: For tables\n---\nAlign.\n",
		".clinerules/scoped.md":                      "---\npaths:\n  - \"api/**\"\n---\nAnswer fast.\n",
		".clinerules/notes.txt":                      "Plain text.",
		".kiro/steering/match.md":                    "---\ninclusion: fileMatch\nfileMatchPattern: [\"app/**/*.kt\"]\n---\nKotlin.\n",
		".kiro/steering/auto.md":                     "---\ninclusion: auto\nname: tables\ndescription: Tables\n---\nWide ones.\n",
		".junie/guidelines.md":                       "# Junie\n",
		".rules":                                     "# Zed\n\nFirst.\r\nSecond.\n",
		"native.md":                                  "---\nappliesTo: [\"*.go\", \"cmd/**\"]\npriority: 3\n---\nTitle\n=====\n\nSub\n---\n\n> # quoted\n\n```\n# code\n```\n",
		"rule.md":                                    "---\nid: a-rule\n---\n---\nnot: fields\n---\nIt begins with a rule.\n",
		"odd/path.md":                                "---\nload: directory\n---\nNowhere in particular.\n",
		"byhand.md":                                  "---\nload: manual\ndescription: \"# only by hand\"\n---\nName it.\n",
	}
}

// An entry is written back to its own agent's file with every byte. A region of other
// entries may follow it.
func TestWrittenBack(t *testing.T) {
	t.Parallel()
	in := oddFiles()
	files, warnings := render.Files(sources(t, in), agents.Targets())
	due := map[string]render.File{}
	for _, f := range files {
		due[f.Path] = f
	}
	for name, want := range in {
		place, ok := agents.At(name)
		if !ok {
			continue
		}
		f, ok := due[name]
		got, err := render.Cut(f.Content)
		if added := strings.TrimPrefix(string(got), want); !ok || err != nil || !bytes.HasPrefix(got, []byte(want)) || strings.Trim(added, "\r\n") != "" || f.Region {
			t.Errorf("%s (%s): %q, want %q", name, place.Kind, got, want)
		}
		for _, s := range f.Sections {
			if s.Start > s.End || s.End > len(f.Content) {
				t.Errorf("%s: section %+v of %d bytes", name, s, len(f.Content))
			}
		}
	}
	for _, w := range warnings {
		if w.Path != "" {
			t.Errorf("unexpected: %+v", w)
		}
	}
}

// Our own reader reads a rendered file with the same load and globs, except for what a
// warning names.
func TestReadBack(t *testing.T) {
	t.Parallel()
	all := sources(t, oddFiles())
	for _, target := range agents.Targets() {
		files, warnings := render.Files(all, []*agents.Target{target})
		for _, s := range all {
			if own := agents.TargetOf(agents.Kind(s.Entry.Origin.Format), s.Path); own == target {
				continue
			}
			warned := slices.ContainsFunc(warnings, func(w render.Warning) bool {
				return w.ID == s.Entry.ID && (w.Field == "load" || w.Field == "appliesTo")
			})
			want, got := meant(s.Entry), readBack(files, s.Entry.ID)
			if want == "agent" && got == "skill" { // which the model chooses, too
				continue
			}
			if !warned && got != want {
				t.Errorf("%s: %s (%s) is read as %q, want %q", target.Name, s.Entry.ID, s.Path, got, want)
			}
		}
	}
}

// meant returns the load of an entry and its globs, relative to the top of the
// repository.
func meant(e *catalog.Entry) string {
	switch scope := e.Origin.Scope; {
	case e.Load == catalog.LoadGlob:
		return "glob " + strings.Join(scope.Globs, " ")
	case e.Load == catalog.LoadDirectory && scope != nil:
		return "glob " + path.Join(scope.Folder, "**")
	case e.Load == "", e.Load == catalog.LoadDirectory:
		return "always"
	default:
		return string(e.Load)
	}
}

// readBack reads the first file that contains an entry.
func readBack(files []render.File, id catalog.ID) string {
	for _, f := range files {
		if !slices.ContainsFunc(f.Entries, func(e render.EntryRef) bool { return e.ID == id }) {
			continue
		}
		place, ok := agents.At(f.Path)
		o := format.Decode(format.File{Path: f.Path, Data: f.Content, Place: &place})
		switch {
		case !ok || o.Entry == nil:
			return f.Path + " is not read"
		case o.Entry.Load == catalog.LoadSkill:
			return "skill"
		}
		return meant(o.Entry)
	}
	return "no file"
}
