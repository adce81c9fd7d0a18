package crosscheck

import (
	"instruction-catalog/catalog/agents"
	"instruction-catalog/governance/report"
)

const (
	memoryOfClaude = "https://code.claude.com/docs/en/memory"
	filesOfCopilot = "https://github.com/microsoft/vscode-docs/blob/main/docs/agent-customization/custom-instructions.md"
)

// FileRules documents the rules about links, imports and globs that match no file, and
// about files that an agent does not load as intended.
var FileRules = []report.RuleDoc{
	{
		ID: DeadLink, Severity: report.Warning,
		Finds:    "A Markdown link or image leads to a file of the repository that does not exist. It is a note if it is an example, or may be a page of a web site.",
		Hit:      "[how we test](docs/testing.md), and the repository has doc/testing.md",
		NearMiss: "Example: [title](docs/name.md), [a page](/guide/start), which are notes; `[title](docs/NAME.md)` in code, [a part](#tests), [a page](https://example.com), [a template](docs/{{name}}.md)",
		Repair:   "Correct the path, from the file or from the top of the repository, or remove the link.",
		Source:   "https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#relative-links",
	},
	{
		ID: DeadImport, Severity: report.Warning,
		Finds:    "An @path in CLAUDE.md, GEMINI.md or AGENTS.md, or in a file that they import, leads to no file.",
		Hit:      "See @docs/testing.md, and there is no such file in the folder docs beside CLAUDE.md",
		NearMiss: "@scope/package, someone@example.com, @pytest.fixture, `@docs/testing.md` in code",
		Repair:   "Correct the path, from the folder of the file that imports it, or remove the @.",
		Source:   memoryOfClaude,
	},
	{
		ID: ImportNotRead, Severity: report.Note,
		Finds:    "An import leads out of the repository, to a file that git ignores, or to secrets, and is not read.",
		Hit:      "@~/.claude/preferences.md",
		NearMiss: "@docs/testing.md",
		Repair:   "Nothing, if only those who have the file need it.",
		Source:   memoryOfClaude,
	},
	{
		ID: DeadGlob, Severity: report.Warning,
		Finds:    "A rule is for files that the repository does not have, so its agent never loads it.",
		Hit:      "globs: source/**/*.ts, and the sources are in src",
		NearMiss: "globs: src/**/*.ts, src/**/*.tsx where only the first matches, which is a note",
		Repair:   "Write the glob that is named, or remove the rule.",
		Source:   filesOfCopilot,
	},
	{
		ID: agents.ApplyToList, Severity: report.Warning,
		Finds:    "applyTo is a list, but VS Code accepts only a string.",
		Hit:      "applyTo: [\"**/*.ts\", \"**/*.tsx\"]",
		NearMiss: "applyTo: \"**/*.ts,**/*.tsx\"",
		Repair:   "Write the globs as one string, separated by commas.",
		Source:   filesOfCopilot,
	},
	{
		ID: CodexSize, Severity: report.Warning,
		Finds:    "The AGENTS.md files from the top down to a folder have more than 32,768 bytes, where Codex cuts: one finding for all that are cut with one AGENTS.md above them.",
		Hit:      "AGENTS.md with 20,000 bytes, and api/AGENTS.md with 15,000",
		NearMiss: "api/AGENTS.md and web/AGENTS.md with 20,000 bytes each",
		Repair:   "Shorten it, or move parts to AGENTS.md files of other folders or to files that it names.",
		Source:   "https://developers.openai.com/codex/guides/agents-md",
	},
	{
		ID: agents.SizeCopilotReview, Severity: report.Note,
		Finds:    "A file has more than 4,000 characters, and Copilot's code review reads only the first 4,000.",
		Hit:      ".github/copilot-instructions.md with 9,000 characters",
		NearMiss: "AGENTS.md with 9,000 characters, which the review does not read, or excludeAgent: code-review",
		Repair:   "Put what matters to a review first.",
		Source:   "https://github.com/github/docs/blob/main/content/copilot/concepts/prompting/response-customization.md",
	},
	{
		ID: agents.SizeDevin, Severity: report.Warning,
		Finds:    "A rule of Devin Desktop, formerly Windsurf, has more than 12,000 characters, where Devin cuts.",
		Hit:      ".windsurf/rules/style.md with 15,000 characters",
		NearMiss: ".cursor/rules/style.mdc with 15,000 characters",
		Repair:   "Split it up.",
		Source:   "https://docs.devin.ai/desktop/cascade/memories",
	},
	{
		ID: agents.FileMisplaced, Severity: report.Warning,
		Finds:    "A file is where its agent does not look. A file that is only outside of the agent's folder is a note.",
		Hit:      ".cursor/rules/style.md, as Cursor reads only .mdc there",
		NearMiss: ".cursor/rules/README.md, for people; rules/style.mdc, which is a note",
		Repair:   "Move it to the folder that is named, or rename it.",
		Source:   "https://cursor.com/docs/rules",
	},
	{
		ID: agents.SkillName, Severity: report.Warning,
		Finds:    "VS Code does not load a skill whose name is not that of its folder, or not up to 64 of a-z, 0-9 and single hyphens. It is a note where no agent looks for skills.",
		Hit:      ".github/skills/pdf-forms/SKILL.md with name: PDF Forms",
		NearMiss: ".github/skills/pdf-forms/SKILL.md with name: pdf-forms",
		Repair:   "Give the folder and the skill the same name.",
		Source:   "https://github.com/agentskills/agentskills/blob/main/docs/specification.mdx",
	},
}
