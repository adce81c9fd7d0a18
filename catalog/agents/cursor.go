package agents

import "strings"

const byCursor = "Cursor"

var cursor = Agent{
	Name: "cursor", Title: byCursor,
	Paths: []Path{
		{Pattern: "{,**/}.cursor/rules/**/*.mdc"}, {Pattern: ".cursorrules"}, {Pattern: "{,**/}AGENTS.md"},
		{Pattern: "{.cursor,.agents,.claude,.codex}/skills/**"},
	},
	Target: &Target{
		Name: "cursor", Rules: ".cursor/rules/*.mdc", Skills: ".cursor/skills", ByAgent: ByRule, ByHand: ByRule,
		anyDepth: true, Front: cursorFront,
		kinds: []Kind{Cursor, CursorRules}, skills: []string{".cursor"},
	},
	Facts: []Fact{
		{"rules and what decides when they load", "cursor.com/docs/rules", "2026"},
		{"unquoted globs without a space after the comma work in every version", "sanity-io/agent-toolkit#15, microsoft/apm#3011, nefarius/BthPS3#143", "2026-09-17"},
	},
	rows: []Row{
		{Pattern: ".cursor/rules/**/*.mdc", Kind: Cursor, Readers: byCursor, scope: below},
		{Pattern: "*.mdc", Kind: Cursor, Readers: byCursor + ", once it is in .cursor/rules", home: ".cursor/rules"},
		{Pattern: ".cursor/rules/**/*.md", Kind: Cursor, Readers: byCursor, never: "Cursor reads only .mdc in .cursor/rules: rename it"},
		{Pattern: ".cursorrules", Kind: CursorRules, Readers: byCursor + ", Cline, Zed, Devin CLI", scope: below},
	},
	forms: []form{
		{
			kind: Cursor, reads: []string{"alwaysApply", "globs", "description"}, byLine: true, read: (*reader).readCursor,
			loaded: "`always` by `alwaysApply: true`; `glob` by `globs`, without quotes; `agent` with a `description`; else `manual`",
		},
		{kind: CursorRules, byLine: true},
	},
}

// cursorFront returns front matter with globs as Cursor writes them: without quotes,
// and separated by commas. A manual rule gets no description, because the model would
// then choose the rule by it.
func cursorFront(i Intent) string {
	if i.Load == Manual {
		return "alwaysApply: false\n"
	}
	front := bareText("description", i.Description)
	if i.Load == Glob {
		front += "globs: " + strings.Join(i.Globs, ",") + "\n"
	}
	if i.Load == Always {
		return front + "alwaysApply: true\n"
	}
	return front + "alwaysApply: false\n"
}

// readCursor reads a rule as Cursor does. Cursor's front matter is not quite YAML.
func (r *reader) readCursor() {
	always, globs := r.front.Fields["alwaysApply"], r.front.Fields["globs"]
	switch text := strings.ToLower(always.Text); {
	case always.IsTrue, text == "false", text == "":
	case text == "true":
		r.warn(LoadField, "alwaysApply", "quoted true is a string, which Cursor does not treat as true: remove the quotes")
	default:
		r.warn(LoadField, "alwaysApply", "%q is neither true nor false: it is treated as false", always.Text)
	}
	switch {
	case always.IsTrue:
		r.always()
	case globs.Quoted && globs.says():
		r.Globs, r.Load, r.Source = []string{`"` + globs.Text + `"`}, Manual, "globs"
		r.warn(GlobQuoted, "globs", "some versions of Cursor treat the quotes as part of the glob, so it matches nothing: remove them")
	case r.globs("globs"):
	case r.front.Fields["description"].says():
		r.Load = ByModel
	default:
		r.Load = Manual
	}
	if r.Source == "" && !always.IsTrue {
		r.warnOfForeignGlobs("globs", "Cursor")
	}
}
