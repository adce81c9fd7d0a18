package crosscheck_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
)

// file returns an entry from an agent's file.
func file(name, format string, load catalog.LoadMode, body string) *catalog.Entry {
	i := catalog.Instruction{
		ID: catalog.ID(strings.ReplaceAll(name, "/", ".")), Title: "T", Body: body, Priority: 1,
		Audience: catalog.Everybody, Requirement: catalog.Optional, Load: load,
	}
	from := catalog.Origin{Path: name, BodyLine: 1, Format: format}
	if load == catalog.LoadDirectory {
		from.Scope = &catalog.Scope{Folder: path.Dir(name)}
	}
	return catalog.NewEntry(i, from)
}

func skill(name, body string) *catalog.Entry {
	return file(name+"/SKILL.md", "skill", catalog.LoadSkill, body)
}

func always(name, format, body string) *catalog.Entry {
	return file(name, format, catalog.LoadAlways, body)
}

// told returns the rule, severity and paths of each finding.
func told(entries ...*catalog.Entry) string {
	var all []string
	for _, f := range findings(entries...) {
		line := fmt.Sprint(f.Rule, " ", f.Severity, " ", f.Path)
		for _, p := range f.Related {
			line += " " + p.Path
		}
		all = append(all, line)
	}
	return strings.Join(all, "; ")
}

func TestCopies(t *testing.T) {
	t.Parallel()
	words := prose(150)
	text := strings.Join(words, " ")
	nearly := strings.Join(words[:149], " ") + " other"
	for name, tt := range map[string]struct {
		entries []*catalog.Entry
		want    string
	}{
		"for three agents": {
			[]*catalog.Entry{always("AGENTS.md", "agents", text), always("CLAUDE.md", "claude", text), always("GEMINI.md", "gemini", text)},
			"copies/same note AGENTS.md CLAUDE.md GEMINI.md",
		},
		"two for one agent, beside one for another": {
			[]*catalog.Entry{always(".cursor/rules/a.mdc", "cursor", text), always(".cursor/rules/b.mdc", "cursor", text), always("CLAUDE.md", "claude", text)},
			"duplicate warning .cursor/rules/b.mdc .cursor/rules/a.mdc; copies/same note .cursor/rules/a.mdc CLAUDE.md",
		},
		"two nearly the same for one agent, and the first for another": {
			[]*catalog.Entry{always(".cursor/rules/a.mdc", "cursor", text), always(".cursor/rules/b.mdc", "cursor", nearly), always("CLAUDE.md", "claude", text)},
			"near-duplicate warning .cursor/rules/b.mdc .cursor/rules/a.mdc; copies/same note .cursor/rules/a.mdc CLAUDE.md",
		},
		"drifted": {
			[]*catalog.Entry{always("AGENTS.md", "agents", text), always("CLAUDE.md", "claude", nearly), always("GEMINI.md", "gemini", text)},
			"copies/drifted warning AGENTS.md GEMINI.md CLAUDE.md",
		},
		"wrapped in another way": {
			[]*catalog.Entry{always("AGENTS.md", "agents", text), always("CLAUDE.md", "claude", strings.Join(words[:75], " ")+"\n"+strings.Join(words[75:], " "))},
			"copies/same note AGENTS.md CLAUDE.md",
		},
		"with its source named": {
			[]*catalog.Entry{always("AGENTS.md", "agents", text), always("CLAUDE.md", "claude", "**Source:** AGENTS.md of the repository\n\n"+text)},
			"copies/same note AGENTS.md CLAUDE.md",
		},
		"a skill for two agents": {
			[]*catalog.Entry{skill(".agents/skills/x", text), skill(".claude/skills/x", nearly)},
			"copies/drifted warning .agents/skills/x/SKILL.md .claude/skills/x/SKILL.md",
		},
		"a skill and a rule": {
			[]*catalog.Entry{always(".cursor/rules/a.mdc", "cursor", text), skill(".claude/skills/x", nearly)},
			"copies/drifted note .claude/skills/x/SKILL.md .cursor/rules/a.mdc",
		},
		"skills from one template": {
			[]*catalog.Entry{skill(".claude/skills/x", text), skill(".claude/skills/y", nearly)},
			"near-duplicate note .claude/skills/y/SKILL.md .claude/skills/x/SKILL.md",
		},
		"the same skill twice": {
			[]*catalog.Entry{skill(".claude/skills/x", text), skill(".claude/skills/y", text)},
			"duplicate warning .claude/skills/y/SKILL.md .claude/skills/x/SKILL.md",
		},
		"skills that refer to another file": {
			[]*catalog.Entry{skill(".claude/skills/x", "Follow the steps in workflow.md."), skill(".claude/skills/y", "Follow the steps in workflow.md.")},
			"duplicate note .claude/skills/y/SKILL.md .claude/skills/x/SKILL.md",
		},
		"in two plugins": {
			[]*catalog.Entry{
				file("plugins/a/agents/x.md", "claude-agent", catalog.LoadPersona, text),
				file("plugins/b/agents/x.md", "claude-agent", catalog.LoadPersona, text),
			},
			"duplicate note plugins/b/agents/x.md plugins/a/agents/x.md",
		},
		"in two packages": {
			[]*catalog.Entry{
				file("a/AGENTS.md", "agents", catalog.LoadDirectory, text),
				file("b/AGENTS.md", "agents", catalog.LoadDirectory, text),
			},
			"duplicate note b/AGENTS.md a/AGENTS.md",
		},
		"in a package and above it": {
			[]*catalog.Entry{always("AGENTS.md", "agents", text), file("b/AGENTS.md", "agents", catalog.LoadDirectory, text)},
			"duplicate warning b/AGENTS.md AGENTS.md",
		},
		"change logs": {
			[]*catalog.Entry{file("a/CHANGELOG.md", "markdown", "", text), file("b/CHANGELOG.md", "markdown", "", text), file("c/CHANGELOG.md", "markdown", "", nearly)},
			"duplicate note b/CHANGELOG.md a/CHANGELOG.md; near-duplicate note c/CHANGELOG.md a/CHANGELOG.md",
		},
		"a collection": {
			[]*catalog.Entry{always("rules/a.mdc", "cursor", text), always("rules/b.mdc", "cursor", text)},
			"duplicate warning rules/b.mdc rules/a.mdc",
		},
	} {
		if got := told(tt.entries...); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
	}
}

// TestManyForOtherAgents checks that many copies for other agents do not hide
// duplicates for the same agent.
func TestManyForOtherAgents(t *testing.T) {
	t.Parallel()
	words := prose(150)
	var entries []*catalog.Entry
	for i := range 40 {
		words[100] = fmt.Sprint("changed", i)
		entries = append(entries, always(fmt.Sprintf("p%02d/.cursor/rules/a.mdc", i), "cursor", strings.Join(words, " ")))
	}
	for i := range 2 {
		words[100] = fmt.Sprint("another", i)
		entries = append(entries, always(fmt.Sprintf(".clinerules/%d.md", i), "cline", strings.Join(words, " ")))
	}
	if got := told(entries...); !strings.Contains(got, "near-duplicate warning .clinerules/1.md .clinerules/0.md") {
		t.Error(got)
	}
}

func TestWhatDrifted(t *testing.T) {
	t.Parallel()
	text := "# %s\n\nThis file tells %s what to do.\n\n" + strings.Join(prose(150), "\n") + "\n"
	agents, claude := fmt.Sprintf(text, "AGENTS.md", "agents"), fmt.Sprintf(text, "CLAUDE.md", "Claude Code")
	if got := told(always("AGENTS.md", "agents", agents), always("CLAUDE.md", "claude", claude)); got != "copies/same note AGENTS.md CLAUDE.md" {
		t.Errorf("only the names of agents differ: %s", got)
	}
	for added, want := range map[string]string{
		"Run all tests.": `CLAUDE.md:155 has "Run all tests.", AGENTS.md does not`,
		"Use Sesame7.":   `CLAUDE.md:155 has "Use S…7.", AGENTS.md does not`,
	} {
		found := findings(always("AGENTS.md", "agents", agents), always("CLAUDE.md", "claude", claude+added))
		if len(found) != 1 || found[0].Rule != crosscheck.CopiesDrifted || !strings.Contains(found[0].Message, want) {
			t.Errorf("%q: %v", added, found)
		}
	}
	found := findings(always("AGENTS.md", "agents", agents+"All of the tests of this folder run in two minutes."),
		always("CLAUDE.md", "claude", claude+"All of the tests of this folder run in five minutes."))
	if len(found) != 1 || !strings.Contains(found[0].Message, `AGENTS.md:155 has "…two minutes.", CLAUDE.md:155 has "…five minutes."`) {
		t.Errorf("a line that is nearly the same: %v", found)
	}
}
