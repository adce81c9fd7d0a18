package agents

import (
	"strings"
	"unicode/utf8"
)

const byCopilot = "GitHub Copilot"

// CopilotReviewCharacters is the number of characters of each file that Copilot's code
// review reads.
const CopilotReviewCharacters = 4_000

// copilot is GitHub Copilot in VS Code.
var copilot = Agent{
	Name: "copilot", Title: "Copilot in VS Code",
	Paths: []Path{
		{Pattern: ".github/copilot-instructions.md"}, {Pattern: ".github/instructions/**/*.instructions.md"},
		{Pattern: ".claude/rules/**/*.md"}, {Pattern: "AGENTS.md"}, {Pattern: "{,.claude/}CLAUDE.md"}, {Pattern: "CLAUDE.local.md"},
		{Pattern: "{.github,.claude,.agents}/skills/**"},
	},
	Target: &Target{
		Name: "copilot", Shared: ".github/copilot-instructions.md", Rules: ".github/instructions/*.instructions.md",
		Skills: ".github/skills", ByAgent: ByRule, ByHand: ByRule,
		Front: func(i Intent) string {
			front := yamlText("description", i.Description)
			if i.Load == Glob {
				front += yamlText("applyTo", strings.Join(i.Globs, ","))
			}
			return front
		},
		kinds:  []Kind{Copilot, CopilotInstructions, CopilotPrompt, CopilotAgent},
		skills: []string{".github"},
	},
	Facts: []Fact{{"files and front matter", "microsoft/vscode-docs docs/agent-customization/custom-instructions.md, prompt-files.md, custom-agents.md", "2026-07-29"}},
	rows: []Row{
		{Pattern: ".github/copilot-instructions.md", Kind: Copilot, Readers: byCopilot, scope: below},
		{Pattern: ".github/instructions/**/*.instructions.md", Kind: CopilotInstructions, Readers: byCopilot},
		{Pattern: "*.instructions.md", Kind: CopilotInstructions, Readers: byCopilot + ", once it is in .github/instructions", home: ".github/instructions"},
		{Pattern: "{,.github/prompts/**/}*.prompt.md", Kind: CopilotPrompt, Readers: byCopilot + " in VS Code"},
		{Pattern: "{,.github/agents/**/,.github/chatmodes/**/}*.{agent,chatmode}.md", Kind: CopilotAgent, Readers: byCopilot},
		{Pattern: ".github/agents/*.md", Kind: CopilotAgent, Readers: byCopilot},
	},
	forms: []form{
		{kind: Copilot, size: (*reader).checkReviewSize},
		{
			kind: CopilotInstructions, reads: []string{"applyTo", "name", "description"}, read: (*reader).readCopilotInstructions,
			loaded: "`glob` by `applyTo`; else `manual`", size: (*reader).checkReviewSize,
		},
		{kind: CopilotPrompt, reads: []string{"description"}, loaded: "`command`", read: (*reader).command},
		{kind: CopilotAgent, reads: []string{"name", "description"}, loaded: "`persona`", read: func(r *reader) { r.Load = Persona }},
	},
}

// copilotCLI is both Copilot's command line and its agent on GitHub, which read the
// same files.
var copilotCLI = Agent{
	Name: "copilot-cli", Title: "Copilot CLI",
	Paths: []Path{
		{Pattern: ".github/copilot-instructions.md"}, {Pattern: ".github/instructions/**/*.instructions.md"},
		{Pattern: "{,**/}AGENTS.md"}, {Pattern: "{CLAUDE,GEMINI}.md"},
	},
	Facts: []Fact{{"files and their order", "docs.github.com, adding custom instructions for GitHub Copilot CLI", "2026"}},
}

var copilotReview = Agent{
	Name: "copilot-review", Title: "Copilot code review",
	Paths: []Path{{Pattern: ".github/copilot-instructions.md"}, {Pattern: ".github/instructions/**/*.instructions.md"}},
	Limits: []Limit{
		{Pattern: ".github/{copilot-instructions.md,instructions/**}", Max: CopilotReviewCharacters, Cut: "it ignores the rest of the file"},
	},
	Facts: []Fact{{"the limit, which GitHub's pages state in part only since spring 2026", "github/docs data/reusables, code-review/custom-instructions-limit.md", "2026"}},
}

func (r *reader) readCopilotInstructions() {
	if r.front.Fields["applyTo"].IsList {
		r.warn(ApplyToList, "applyTo", "it is a list, but VS Code accepts only a string: write the globs in quotes, separated by commas")
	}
	if !r.globs("applyTo") {
		r.Load = Manual
		r.warnOfForeignGlobs("applyTo", "GitHub Copilot")
		if len(r.front.Fields) == 0 {
			r.note(LoadField, "applyTo", "missing: Copilot loads the file only when a person attaches it; add the globs of the files that it is for")
		}
	}
}

func (r *reader) checkReviewSize(body string) {
	n := utf8.RuneCountInString(body)
	if n > CopilotReviewCharacters && r.home == "" && r.front.Fields["excludeAgent"].Text != "code-review" {
		r.note(SizeCopilotReview, "", "it has %d characters: Copilot's code review reads the first %d; put what matters to a review first", n, CopilotReviewCharacters)
	}
}
