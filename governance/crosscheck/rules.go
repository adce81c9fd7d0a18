package crosscheck

import "instruction-catalog/governance/report"

// The rules.
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

// Rules explains them.
var Rules = []report.RuleDoc{
	{
		ID: Duplicate, Severity: report.Warning, Finds: "Two entries have the same body.",
		Hit: "A file and a copy of it.", NearMiss: "A copy for another agent.", Repair: "Keep one of the two.",
	},
	{
		ID: NearDuplicate, Severity: report.Warning, Finds: "Two entries have nearly the same body.",
		Hit: "A copy in which a sentence was changed.", NearMiss: "Two entries that share a paragraph.",
		Repair: "Make one of the two, or say what is different.",
	},
	{
		ID: CopiesSame, Severity: report.Note, Finds: "A text is kept for several agents.",
		Hit: "The same rule for Cursor and for Copilot.", NearMiss: "The same rule twice for Cursor.", Repair: "Nothing has to be done.",
	},
	{
		ID: CopiesDrifted, Severity: report.Warning, Finds: "A text that is kept for several agents is no longer the same for all of them.",
		Hit: "A rule for Cursor, and for Copilot without its last line.", NearMiss: "Two texts that share a paragraph.",
		Repair: "Bring the copies in line.",
	},
	{
		ID: Contradiction, Severity: report.Warning, Finds: "One entry asks for what another one forbids.",
		Hit: "Use tabs for indentation. Do not use tabs for indentation.", NearMiss: "The same for two languages.",
		Repair: "Say which of the two holds.",
	},
	{
		ID: DeadReference, Severity: report.Warning, Finds: "A reference to an entry leads to none.",
		Hit: "[[no-such-entry]]", NearMiss: "[[an-entry]]", Repair: "Correct the reference, or take it out.",
	},
	{
		ID: NotParsed, Severity: report.Warning, Finds: "A text is not parsed, so that its links are unknown.",
		Hit: "Quotes nested a thousand times.", NearMiss: "A long text.", Repair: "Take the nesting out.",
	},
	{
		ID: Cycle, Severity: report.Warning, Finds: "Entries succeed each other in a circle.",
		Hit: "a supersedes b, and b supersedes a.", NearMiss: "a supersedes b.", Repair: "Take one deprecatedBy or supersedes out.",
	},
}
