package verify

import (
	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
)

// The sources of the rules: documentation of agents, and specifications of formats.
const (
	cursorRules = "https://cursor.com/docs/rules"
	yamlSpec    = "https://yaml.org/spec/1.2.2/"
	skillSpec   = "https://agentskills.io/specification"
	claudeDocs  = "https://code.claude.com/docs/en/sub-agents"
)

// ofFiles documents the rules about files.
var ofFiles = []report.RuleDoc{
	{
		ID: format.FileEmpty, Severity: report.Error, Finds: "A file is empty.",
		Hit: "rules/go.md with no bytes.", NearMiss: "rules/go.md with one sentence.", Repair: "Write the instruction, or remove the file.",
	},
	{
		ID: format.FileEncoding, Severity: report.Error, Finds: "A file is not UTF-8, or its lines end in a carriage return alone.",
		Hit: "The byte E9 for é.", NearMiss: "A byte order mark, and lines that end in \\r\\n.", Repair: "Save the file as UTF-8.",
	},
	{
		ID: format.FileInvisible, Severity: report.Warning, Finds: "An agent's file has characters that people do not see.",
		Hit: "A zero-width space within a word.", NearMiss: "The joiner within an emoji.", Repair: "Remove it, unless you know why it is there.",
	},
	{
		ID: format.FileMore, Severity: report.Warning, Finds: "A file has more diagnostics than are shown.",
		Hit: "A file with 101 unreadable fields.", NearMiss: "A file with 100.", Repair: "Fix those that are shown, and check again.",
	},
	{
		ID: format.FileNotInstruction, Severity: report.Note, Finds: "A JSON file in the catalog has none of id, title and body.",
		Hit: `{"name": "tool", "private": true}`, NearMiss: `{"title": "Wrap errors"}, where a body is missing.`,
		Repair: "Nothing, or begin the file's name with an underscore.",
	},
	{
		ID: format.FileNotLoaded, Severity: report.Warning, Finds: "No agent loads a file, for a reason in the file itself.",
		Hit: "A rule whose author switched it off, which is a note.", NearMiss: "A rule that is loaded when a person names it.",
		Repair: "Do what the message says.",
	},
	{
		ID: format.FileSyntax, Severity: report.Error, Finds: "A file or its front matter cannot be parsed. Front matter that is read line by line is a warning, or a note where its agent does the same.",
		Hit: `Front matter that begins with "---" and never ends.`, NearMiss: "A file without front matter.",
		Repair: "Correct the line that the message names.", Source: yamlSpec,
	},
	{
		ID: format.FileTooLarge, Severity: report.Error, Finds: "A file, its front matter or its nesting is larger than what is read.",
		Hit: "Front matter of 70 KiB.", NearMiss: "A body of 70 KiB.", Repair: "Split the file up.",
	},
	{
		ID: source.NoAgentsFile, Severity: report.Warning, Finds: "A git repository without an agent's file is read as a catalog, though no file has an id.",
		Hit: "A repository of a program with a README.md and docs/*.md.", NearMiss: "The same with an AGENTS.md, or a repository of instructions with gates.json.",
		Repair: "Write an agent's file, run catalog init, or name the folder of instructions with --dir.",
	},
	{
		ID: source.FileName, Severity: report.Error, Finds: "The name of a file or folder is not valid UTF-8.",
		Hit: "A name in Latin-1.", NearMiss: "A name with umlauts in UTF-8.", Repair: "Rename it.",
	},
	{
		ID: source.FileNotRead, Severity: report.Note, Finds: "Files are not read, as they are not instructions.",
		Hit: "12 files *.go.", NearMiss: "A Markdown file in the folder of a catalog.", Repair: "Nothing has to be done.",
	},
	{
		ID: source.FileShadowed, Severity: report.Note, Finds: "An agent reads another file instead of this one.",
		Hit: "AGENT.md beside AGENTS.md.", NearMiss: "AGENTS.md beside CLAUDE.md, which other agents read.",
		Repair: "Nothing, if the file is for another agent.",
	},
	{
		ID: source.FileUnreadable, Severity: report.Error, Finds: "A file or folder cannot be read.",
		Hit: "A file without permission to read, or a named pipe.", NearMiss: "A file that begins with an underscore, which is left out.",
		Repair: "Fix its permissions, or begin its name with an underscore.",
	},
	{
		ID: format.FieldCoerced, Severity: report.Warning, Finds: "A value is read as another one.",
		Hit: "priority: 500, which is read as 50.", NearMiss: "priority: 50", Repair: "Write the value as it is read.",
	},
	{
		ID: format.FieldDefault, Severity: report.Warning, Finds: "A JSON entry leaves out a field that has a default.",
		Hit: "An entry without audience.", NearMiss: "A Markdown entry without audience.", Repair: "Write the default that the message names.",
	},
	{
		ID: format.FieldForeign, Severity: report.Note, Finds: "An agent's file has fields of the catalog, which are not read without an id.",
		Hit: "priority: 1 in a Cursor rule.", NearMiss: "The same with id: cursor-style.", Repair: "Add an id, or remove the fields.",
	},
	{
		ID: format.FieldMisspelt, Severity: report.Warning, Finds: "The name of a field differs from a known one by a typing error or by case.",
		Hit: "requirment: mandatory", NearMiss: "reviewers: ann, which is an unknown field.", Repair: "Rename it; verify --fix does.",
	},
	{
		ID: format.FieldMissing, Severity: report.Error, Finds: "A required field is missing or empty.",
		Hit: "A JSON entry without a body.", NearMiss: "A Markdown entry without a title, which is taken from its heading.",
		Repair: "Write the field.",
	},
	{
		ID: format.FieldTooLong, Severity: report.Error, Finds: "A text or list is longer than allowed. A title from a heading is cut, with a warning.",
		Hit: "A title with 300 characters.", NearMiss: "A summary with 300 characters.", Repair: "Shorten it.",
	},
	{
		ID: format.FieldTwice, Severity: report.Error, Finds: "A field appears twice.",
		Hit: "Two lines that begin with title.", NearMiss: "A field of that name in an object below extensions.", Repair: "Keep one of the two.",
	},
	{
		ID: format.FieldUnknown, Severity: report.Warning, Finds: "A field is unknown. It is kept in extensions if that is possible.",
		Hit: "reviewers: ann", NearMiss: "The same below extensions.", Repair: "Move it to extensions, or remove it.",
	},
	{
		ID: format.FieldValue, Severity: report.Error, Finds: "A field has a value that cannot be read.",
		Hit: "status: finished", NearMiss: "status: approved", Repair: "Write one of the values that the message names.",
	},
	{
		ID: agents.GlobInvalid, Severity: report.Warning, Finds: "A glob matches nothing, or not what it seems to.",
		Hit: "globs: src/{a,b", NearMiss: "globs: src/{a,b}", Repair: "Close its brackets and braces.",
	},
	{
		ID: agents.GlobQuoted, Severity: report.Warning, Finds: "A Cursor rule has its globs in quotes, which some versions of Cursor take for a part of the glob.",
		Hit: `globs: "**/*.ts"`, NearMiss: "globs: **/*.ts, which works in all versions", Repair: "Remove the quotes; verify --fix does.",
		Source: cursorRules,
	},
	{
		ID: format.IDInvalid, Severity: report.Error, Finds: "An id, or the path that it is made from, has characters that an id must not have.",
		Hit: "id: go errors!", NearMiss: "id: Go.Errors, which is read as go-errors", Repair: "Write an id of a-z, 0-9 and hyphens.",
	},
	{
		ID: catalog.RuleIDTaken, Severity: report.Error, Finds: "Two entries have one id, and only the first is served.",
		Hit: "id: errors in a.md and b.md.", NearMiss: "Two entries with equal titles.", Repair: "Give one of them another id.",
	},
	{
		ID: agents.LoadField, Severity: report.Warning, Finds: "An agent does not understand or does not read the field that should say when a file is loaded.",
		Hit: "paths in a Cursor rule, where globs is read.", NearMiss: "globs in a Cursor rule.", Repair: "Write the field and value that the message names.",
		Source: cursorRules,
	},
	{
		ID: agents.PersonaField, Severity: report.Warning, Finds: "A persona lacks its name or description, and Claude Code passes over it.",
		Hit: ".claude/agents/reviewer.md without a description.", NearMiss: ".claude/commands/review.md without one.",
		Repair: "Add the field.", Source: claudeDocs,
	},
	{
		ID: agents.SkillDescription, Severity: report.Warning, Finds: "A skill has no description, or one that is longer than some agents read.",
		Hit: "SKILL.md with a name alone.", NearMiss: "SKILL.md with a description of 1,024 characters.",
		Repair: "Say in a sentence what the skill is for and when to use it.", Source: skillSpec,
	},
	{
		ID: source.SymlinkNotFollowed, Severity: report.Warning, Finds: "A symbolic link is not followed. One that leads nowhere is an error, one to a folder a note.",
		Hit: "A link to /etc/hosts.", NearMiss: "CLAUDE.md as a link to AGENTS.md.", Repair: "Put the file here, or link to one of the catalog by a relative path.",
	},
	{
		ID: source.GatesElsewhere, Severity: report.Error, Finds: "A gates.json is where no gates are evaluated.",
		Hit: "rules/gates.json in a catalog.", NearMiss: "gates.json at the top of the catalog.", Repair: "Move it to the top of the catalog.",
	},
	{
		ID: source.BundlePart, Severity: report.Error, Finds: "Part of a metadata file is below entries of a bundle, and is not read.",
		Hit: "A line of catalog.sum after the first entry.", NearMiss: "The same line before it.", Repair: "Write the bundle again with catalog bundle.",
	},
}
