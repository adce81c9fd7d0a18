package crosscheck_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// repository maps paths to file contents. Files of agents become its entries.
type repository map[string]string

// told returns the rule, place and message of the repository's findings, one per line.
func (r repository) told(more ...func(*crosscheck.Tree)) string {
	tree := &crosscheck.Tree{
		Catalog: ".", Links: map[string]string{}, Skipped: []string{".git"},
		Ignores: func(p string) bool { return strings.HasPrefix(p, "dist/") },
		Text:    func(p string) (string, bool) { text, ok := r[p]; return text, ok },
	}
	var entries []*catalog.Entry
	folders := map[string]bool{}
	for p, text := range r {
		tree.Files = append(tree.Files, p)
		for folder := path.Dir(p); !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
			tree.Folders = append(tree.Folders, folder)
		}
		place, ok := agents.At(p)
		if !ok || place.Kind == agents.SkillResource {
			continue
		}
		i := catalog.Instruction{ID: catalog.ID(p), Title: p, Body: text}
		from := catalog.Origin{Path: p, BodyLine: 1, Format: string(place.Kind)}
		if globs, isRule := strings.CutPrefix(text, "globs: "); isRule {
			i.Load = catalog.LoadGlob
			from.Scope = &catalog.Scope{Globs: place.Anchor(strings.Fields(globs))}
		}
		if place.Kind == agents.Skill {
			i.Load = catalog.LoadSkill
		}
		entries = append(entries, catalog.NewEntry(i, from))
	}
	for _, change := range more {
		change(tree)
	}
	var lines []string
	for _, f := range crosscheck.Find(catalog.NewSnapshot(entries, nil), crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place {
			return report.Place{Path: e.Origin.Path, Line: max(line, 1)}
		},
		Quote: func(_ *catalog.Entry, part string) string { return part },
		File:  func(p string, line int) report.Place { return report.Place{Path: p, Line: line} },
		Tree:  tree,
	}) {
		lines = append(lines, string(f.Rule)+" "+f.String())
	}
	return strings.Join(lines, "\n")
}

func TestDeadLinks(t *testing.T) {
	t.Parallel()
	const says = "link/dead AGENTS.md:1: warning: the link to "
	for text, want := range map[string]string{
		"[x](docs/setup.md)":                                        says + `"docs/setup.md" leads to no file: "doc/setup.md" exists`,
		"![x](img/logo.png)":                                        says + `"img/logo.png" leads to no file: correct it, or remove it`,
		"[x][r]\n\n[r]: gone.md":                                    says + `"gone.md" leads to no file: correct it, or remove it`,
		"[x](DOC/Setup.md)":                                         says + `"DOC/Setup.md" leads to no file: "doc/setup.md" exists`,
		"[x](doc/setpu.md)":                                         says + `"doc/setpu.md" leads to no file: "doc/setup.md" exists`,
		"[x](/doc/gone.md)":                                         says + `"/doc/gone.md" leads to no file: correct it, or remove it`,
		"[x](mdc:docs/setup.md)":                                    says + `"mdc:docs/setup.md" leads to no file: "mdc:doc/setup.md" exists`,
		"[x](gone%20one.md#part)":                                   says + `"gone%20one.md" leads to no file: correct it, or remove it`,
		"[x](doc/setup.md#part) [y](doc) [z](doc/)":                 "",
		"[x](/doc/setup.md) [y](./doc/setup.md:12)":                 "",
		"`[x](gone.md)`\n```\n[x](gone.md)\n```":                    "",
		"[x](#part) [y](https://a.example/gone.md)":                 "",
		"[x](mailto:a@b.example) [y](//a.example/b.md)":             "",
		"[x](docs/{{name}}.md) [y](<docs/<name>.md>)":               "",
		"[x](${DIR}/a.md) [y](path/to/file.md) [z](...)":            "",
		"[x](url) [y](../../issues) [z](/guide/intro)":              "",
		"[x](dist/made.md) [y](.git/config)":                        "",
		"[x](example.com/a.html) [y](wiki/page)":                    "",
		"[x](linked/setup.md) [y](away/a.md)":                       "",
		"[x](gone.md)\n[y](gone.md) [z](gone.md#a)\n\n[z](gone.md)": says + `"gone.md" (also on lines 2, 4) leads to no file: correct it, or remove it`,
		"- Example: [x](gone.md) for a rule":                        `link/dead AGENTS.md:1: note: the link to "gone.md" leads to no file: correct it, or remove it`,
		"Example: [x](gone.md)\n[x](gone.md)":                       says + `"gone.md" (also on line 2) leads to no file: correct it, or remove it`,
		"| A | [x](/doc/gone#part) |":                               `link/dead AGENTS.md:1: note: the link to "/doc/gone" leads to no file: correct it, or remove it`,
		"[x](mdc:compose.example.yml)":                              says + `"mdc:compose.example.yml" leads to no file: correct it, or remove it`,
		"[x](linked/gone.md)":                                       says + `"linked/gone.md" leads to no file: correct it, or remove it`,
	} {
		r := repository{"AGENTS.md": text, "doc/setup.md": ""}
		if got := r.told(func(tree *crosscheck.Tree) { tree.Links = map[string]string{"linked": "doc", "away": ""} }); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestWhereLinksBegin checks that links of rules and skills may be relative to the
// top, the skill and the file.
func TestWhereLinksBegin(t *testing.T) {
	t.Parallel()
	r := repository{
		".github/instructions/a.instructions.md": "[x](src/a.go) [y](b.md)",
		".github/instructions/b.md":              "",
		"src/a.go":                               "",
		".claude/skills/s/SKILL.md":              "[x](references/a.md) [y](src/a.go) [z](references/gone.md)",
		".claude/skills/s/references/a.md":       "\n[x](SKILL.md) [y](b.md) [z](references/b.md)\n[gone](c.md)",
		".claude/skills/s/references/b.md":       "",
		".claude/skills/s/assets/page.md":        "[x](gone.md)",
		".claude/skills/s/adr-template.md":       "[x](gone.md)",
		"power/POWER.md":                         "Read steering/a.md first.",
		"power/steering/a.md":                    "[x](b.md) [y](steering/b.md) [z](old/b.md)",
		"power/steering/b.md":                    "",
		".claude/skills/s/audit/old/1.0.md":      "[x](gone.md)", // no file leads to it
	}
	want := `link/dead .claude/skills/s/SKILL.md:1: warning: the link to "references/gone.md" leads to no file: correct it, or remove it
link/dead .claude/skills/s/references/a.md:3: warning: the link to "c.md" leads to no file: correct it, or remove it
link/dead power/steering/a.md:1: warning: the link to "old/b.md" leads to no file: "b.md" exists`
	if got := r.told(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLinkedEntries checks that a symbolic link is treated as its target.
func TestLinkedEntries(t *testing.T) {
	t.Parallel()
	text := "[x](setup.md) [y](gone.md)" + strings.Repeat("\nLine of many.", 1500)
	r := repository{"api/AGENTS.md": text, "AGENTS.md": text, "CLAUDE.md": text, "api/setup.md": ""}
	got := r.told(func(tree *crosscheck.Tree) {
		tree.Files = slices.DeleteFunc(tree.Files, func(p string) bool { return p == "AGENTS.md" || p == "CLAUDE.md" })
		tree.Links = map[string]string{"AGENTS.md": "api/AGENTS.md", "CLAUDE.md": "api/AGENTS.md"}
	})
	want := `link/dead api/AGENTS.md:1: warning: the link to "gone.md" leads to no file: correct it, or remove it`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = repository{"AGENTS.md": text, "api/setup.md": "", "api/rules.md": ""}.told(func(tree *crosscheck.Tree) {
		tree.Files = []string{"api/setup.md", "api/rules.md"}
		tree.Links = map[string]string{"AGENTS.md": "api/rules.md"}
	})
	want = `link/dead AGENTS.md:1: warning: the link to "gone.md" leads to no file: correct it, or remove it`
	if got != want {
		t.Errorf("a link to a file that is no entry: got\n%s\nwant\n%s", got, want)
	}
}

// TestCopiedTexts checks that links of texts that others maintain are notes.
func TestCopiedTexts(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	for i := range 10 {
		fmt.Fprintf(&page, "[x](../guide/page%d.md)\n", i)
	}
	r := repository{
		"skills-lock.json":               `{"version": 1, "skills": {"pinned": {"source": "a/b"}}}`,
		".agents/skills/pinned/SKILL.md": "[x](gone.md)",
		".agents/skills/own/SKILL.md":    "[x](gone.md)",
		"api/AGENTS.md":                  page.String(),
		"web/AGENTS.md":                  page.String() + "[x](a.md)",
		"web/a.md":                       "",
	}
	got := r.told()
	for want, count := range map[string]int{
		`link/dead .agents/skills/pinned/SKILL.md:1: note: `: 1,
		`link/dead .agents/skills/own/SKILL.md:1: warning: `: 1,
		`link/dead web/AGENTS.md:`:                           10,
		`link/dead api/AGENTS.md:1: note: the link to "../guide/page0.md" and 9 others lead to no file: the text seems to be copied`: 1,
		`link/dead api/AGENTS.md:`: 1,
	} {
		if n := strings.Count(got, want); n != count {
			t.Errorf("%d times %q, want %d, in\n%s", n, want, count, got)
		}
	}
}

func TestDeadImports(t *testing.T) {
	t.Parallel()
	const says = "import/dead CLAUDE.md:1: warning: the import "
	for text, want := range map[string]string{
		"See @docs/setup.md.": says + "@docs/setup.md leads to no file: @doc/setup.md exists",
		"@./gone":             says + "@./gone leads to no file: correct it, or remove it",
		"@doc/gone.go":        says + "@doc/gone.go leads to no file: correct it, or remove it",
		"Read a rule as needed (e.g., @rules/general.md)": "import/dead CLAUDE.md:1: note: the import @rules/general.md leads to no file: correct it, or remove it",
		"@doc/setup.md (@doc/setup.md)":                   "",
		"`@gone.md`\n```\n@gone.md\n```":                  "",
		"<!-- @gone.md\n@gone.md -->":                     "",
		"a@example.md @someone @scope/pkg":                "",
		"@scope/chart.js @pytest.fixture @next":           "",
		"@dist/made.md":                                   "import/not-read CLAUDE.md:1: note: the import @dist/made.md is ignored by git, or outside of the repository: it is not read here, and not everybody has it",
		"@~/.claude/mine.md":                              "import/not-read CLAUDE.md:1: note: the import @~/.claude/mine.md leads out of the repository: it is not read here, and not everybody has it",
		"@../other/a.md":                                  "import/not-read CLAUDE.md:1: note: the import @../other/a.md leads out of the repository: it is not read here, and not everybody has it",
		"@./.env":                                         "import/not-read CLAUDE.md:1: note: the import @./.env is a file of secrets or of git: it is not read here, and not everybody has it",
		"@doc/more.md":                                    "import/dead doc/more.md:2: warning: the import @setup.txt leads to no file: correct it, or remove it",
	} {
		r := repository{"CLAUDE.md": text, "doc/setup.md": "", "doc/more.md": "@setup.md\n@setup.txt @more.md", ".env": "@gone.md"}
		if got := r.told(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestDeadGlobs(t *testing.T) {
	t.Parallel()
	const rule = ".claude/rules/go.md"
	const never = "glob/no-match " + rule + ":1: warning: no file of the repository matches "
	for globs, want := range map[string]string{
		"src/**/*.go":            "",
		"**/*.go":                "",
		"src/**/*.ts":            never + `"src/**/*.ts", so the rule is never loaded: "src/**" would`,
		"*.go":                   never + `"*.go", so the rule is never loaded: "**/*.go" would`,
		"lib/**/*.go":            never + `"lib/**/*.go", so the rule is never loaded: "**/*.go" would`,
		"**/*.rs":                never + `"**/*.rs", so the rule is never loaded: correct the glob, or remove the rule`,
		"src/**/*.go src/**/*.c": "glob/no-match " + rule + `:1: note: no file of the repository matches "src/**/*.c"; other globs of the rule do match: "src/**" would`,
		"dist/**":                "",
		"web/**":                 never + `"web/**", so the rule is never loaded: correct the glob, or remove the rule`,
		"src/**/*.go !gone/**":   "",
	} {
		r := repository{rule: "globs: " + globs, "src/a/b.go": ""}
		if got := r.told(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", globs, got, want)
		}
	}
	if got := (repository{"rules/go.mdc": "globs: **/*.rs"}).told(); got != "" {
		t.Errorf("a rule that is not in its agent's folder: %s", got)
	}
	inCatalog := func(tree *crosscheck.Tree) { tree.Catalog = "instructions" }
	if got := (repository{"shop/.claude/rules/go.md": "globs: **/*.rs"}).told(inCatalog); got != "" {
		t.Errorf("a rule that was imported: %s", got)
	}
	if got := (repository{rule: "globs: **/*.rs"}).told(inCatalog); got == "" {
		t.Error("a rule at the top of a catalog has no finding")
	}
}

func TestCodexSize(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 20_000)
	got := repository{"AGENTS.md": long, "api/AGENTS.md": long, "api/v2/AGENTS.md": "a", "web/AGENTS.override.md": "a", "web/AGENTS.md": long}.told()
	want := "size/codex api/AGENTS.md:1: warning: it has 20000 bytes, and the AGENTS.md above it 20000: Codex reads 32768 of both, and cuts off the rest; split it up"
	if got != want {
		t.Errorf("got %s", got)
	}
	short := long[:12_000]
	got = repository{"AGENTS.md": long, "api/AGENTS.md": long[:5_000], "api/a/AGENTS.md": short, "api/b/AGENTS.md": short, "web/AGENTS.md": strings.Repeat("a", 40_000)}.told()
	want = `size/codex api/AGENTS.md:1: warning: with it and the AGENTS.md above it, Codex cuts off the AGENTS.md of api/a, api/b, as it reads 32768 bytes of all from the top down; shorten it or split them up
size/codex web/AGENTS.md:1: warning: it has 40000 bytes, and the AGENTS.md above it 20000: Codex reads 32768 of both, and cuts off the rest; split it up`
	if got != want {
		t.Errorf("several in one chain: got %s", got)
	}
	got = repository{"AGENTS.md": long, "api/AGENTS.md": long, "web/AGENTS.md": long + "b"}.told(func(tree *crosscheck.Tree) {
		tree.Files = []string{"api/AGENTS.md", "web/AGENTS.md"}
		tree.Links = map[string]string{"AGENTS.md": "api/AGENTS.md"}
	})
	want = "size/codex web/AGENTS.md:1: warning: it has 20001 bytes, and the AGENTS.md above it 20000: Codex reads 32768 of both, and cuts off the rest; split it up"
	if got != want {
		t.Errorf("a link to a file further down: got %s", got)
	}
	if got := (repository{"AGENTS.md": long[:12_768], "api/AGENTS.md": long}).told(); got != "" {
		t.Errorf("just as much as Codex reads: %s", got)
	}
}
