package crosscheck

import "instruction-catalog/governance/report"

// IDs of the rules.
const (
	Duplicate     report.Rule = "duplicate"
	NearDuplicate report.Rule = "near-duplicate"
	CopiesSame    report.Rule = "copies/same"
	CopiesDrifted report.Rule = "copies/drifted"
	Contradiction report.Rule = "contradiction"
	DeadReference report.Rule = "dead-reference"
	NotParsed     report.Rule = "not-parsed"
	Cycle         report.Rule = "successor-cycle"

	DeadLink      report.Rule = "link/dead"
	DeadImport    report.Rule = "import/dead"
	ImportNotRead report.Rule = "import/not-read"
	DeadGlob      report.Rule = "glob/no-match"
	CodexSize     report.Rule = "size/codex"
)

// Rules documents the rules about entries; [FileRules] documents those about files. In
// an example, each line is an entry: the path of its file and its text.
var Rules = []report.RuleDoc{
	{
		ID: Duplicate, Severity: report.Warning,
		Finds: "Two entries for the same agent have the same body: a note where they are in different packages or plugins, and for short skills and commands.",
		Hit: ".cursor/rules/tests.mdc: Run all tests before you push.\n" +
			".cursor/rules/push.mdc: Run all tests before you push.",
		NearMiss: "web/AGENTS.md: Run all tests before you push.\n" +
			"api/AGENTS.md: Run all tests before you push.",
		Repair: "Keep one of the two.",
	},
	{
		ID: NearDuplicate, Severity: report.Warning,
		Finds: "Two entries for the same agent have 80 % of their phrases of three words in common: a note where they are not loaded together, such as skills made from one template.",
		Hit: ".cursor/rules/a.mdc: A commit has one idea, says why in its message, passes the tests, and names nobody. It is small enough to be read in ten minutes.\n" +
			".cursor/rules/b.mdc: A commit has one idea, says why in its message, passes the tests, and names nobody. It is small enough to be read in five minutes.",
		NearMiss: ".cursor/rules/a.mdc: A commit has one idea, says why in its message, and passes the tests.\n" +
			".cursor/rules/b.mdc: A pull request has one purpose, says why in its description, and passes the checks.",
		Repair: "Merge the two, or say what is different.",
	},
	{
		ID: CopiesSame, Severity: report.Note,
		Finds: "A text is kept for several agents, the same but for the names of agents and of their files.",
		Hit: "AGENTS.md: Run all tests before you push.\n" +
			"CLAUDE.md: Run all tests before you push.",
		NearMiss: "AGENTS.md: Run all tests before you push.\n" +
			"CLAUDE.md: @AGENTS.md",
		Repair: "Change all copies together, or keep one that the others import or link to.",
	},
	{
		ID: CopiesDrifted, Severity: report.Warning,
		Finds: "A text that is kept for several agents is nearly the same for all of them, but not quite: a note where the copies have other names or are in different packages.",
		Hit: "AGENTS.md: A commit has one idea, says why in its message, passes the tests, and names nobody. It is small enough to be read in ten minutes.\n" +
			"CLAUDE.md: A commit has one idea, says why in its message, passes the tests, and names nobody. It is small enough to be read in five minutes.",
		NearMiss: "AGENTS.md: Codex reads this. A commit has one idea, says why in its message, passes the tests, and names nobody.\n" +
			"CLAUDE.md: Claude Code reads this. A commit has one idea, says why in its message, passes the tests, and names nobody.",
		Repair: "Make the copies the same, or keep one that the others import or link to.",
	},
	{
		ID: Contradiction, Severity: report.Warning,
		Finds: "Two entries that are loaded together make demands that cannot both be met: two choices of one thing in the table of opposites, always and never the same thing, or each of two things rather than the other.",
		Hit: "AGENTS.md: Use tabs for indentation.\n" +
			"CLAUDE.md: Indent with 4 spaces.",
		NearMiss: "AGENTS.md: Use tabs for indentation.\n" +
			"CLAUDE.md: Use spaces in YAML files.",
		Repair: "Say which of the two applies, or to which files each does.",
	},
	{
		ID: DeadReference, Severity: report.Warning,
		Finds:    "deprecatedBy, supersedes or a [[link]] in an entry of the catalog names no entry.",
		Hit:      "instructions/push.md: See [[tests]] before you push.",
		NearMiss: "instructions/push.md: See `[[tests]]` before you push.",
		Repair:   "Correct the name, or remove the reference.",
	},
	{
		ID: NotParsed, Severity: report.Warning,
		Finds:    "A text has links, but is so large or so deeply nested that it is not parsed, and no link in it is checked.",
		Hit:      "a text of 5 MiB with [[links]], or one with hundreds of nested quotations",
		NearMiss: "a text of 1 MiB with [[links]]",
		Repair:   "Split the text, or make its lists and quotations flatter.",
	},
	{
		ID: Cycle, Severity: report.Warning,
		Finds: "Entries replace each other in a cycle, by deprecatedBy or supersedes, so none of them is current.",
		Hit: "instructions/a.md: deprecatedBy: instructions.b\n" +
			"instructions/b.md: deprecatedBy: instructions.a",
		NearMiss: "instructions/a.md: deprecatedBy: instructions.b\n" +
			"instructions/b.md: supersedes: instructions.a",
		Repair: "Remove one deprecatedBy or supersedes.",
	},
}
