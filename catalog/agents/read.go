package agents

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/glob"
)

// Value is what a field of front matter says, as its agent sees it.
type Value struct {
	Text   string   // of anything but a list
	Items  []string // of a list
	IsList bool
	IsTrue bool // the boolean true, not the text
	Quoted bool // the text stands in quotes
}

func (v Value) says() bool { return len(v.Items) > 0 || strings.TrimSpace(v.Text) != "" }

// FrontMatter is the front matter of a file, by field. A field without a value
// is not in it.
type FrontMatter struct {
	Fields map[string]Value
	// Broken means that it is no YAML, and was read line by line.
	Broken bool
}

// Warning is something that the author of a file should know.
type Warning struct {
	Rule    string // that found it, "" if it has no name
	Field   string // of the front matter, "" for the file as a whole
	Message string
	Note    bool // nothing is wrong
}

// Reading says when a file is loaded.
type Reading struct {
	Load      Load
	Globs     []string // as its agent takes them apart
	Source    string   // the field of the globs
	Reason    string   // why it is never loaded
	Off       bool     // its author does not want it loaded
	Misplaced bool     // its agent would load it elsewhere
	Warnings  []Warning
}

// Read tells when the agent loads a file of this place with that front matter
// and body.
func (p Place) Read(f FrontMatter, body string) Reading {
	r := reader{Place: p, front: f}
	switch {
	case p.never != "":
		r.never("%s", p.never)
		r.Misplaced = !p.aside
		r.Off = p.aside || strings.EqualFold(path.Base(p.path), "README.md") // for people
	default:
		r.read()
	}
	if p.home != "" {
		r.note(FileMisplaced, "", "no agent looks here without a setting: move it to %s", p.home)
	}
	r.checkSize(body)
	return r.Reading
}

// checkSize tells of bodies that an agent does not read to the end.
func (r *reader) checkSize(body string) {
	inReview := (r.Kind == Copilot || r.Kind == CopilotInstructions) && r.home == "" && r.front.Fields["excludeAgent"].Text != "code-review"
	switch n := utf8.RuneCountInString(body); {
	case r.Kind == Devin && n > DevinCharacters:
		r.warnOf(SizeDevin, "", "it has %d characters: Devin Desktop cuts off what follows the first %d; split it up", n, DevinCharacters)
	case inReview && n > CopilotReviewCharacters:
		r.note(SizeCopilotReview, "", "it has %d characters: Copilot's code review reads the first %d; put what matters to a review first", n, CopilotReviewCharacters)
	}
}

// reader reads the front matter of one file.
type reader struct {
	Place
	Reading
	front FrontMatter
}

func (r *reader) read() {
	switch r.Kind {
	case ClaudeRule:
		r.readClaudeRule()
	case ClaudeAgent:
		r.Load = Persona
		r.warnOfMissing("name", "description")
	case CopilotAgent:
		r.Load = Persona
	case ClaudeCommand, CopilotPrompt, GeminiCommand, ClineWorkflow:
		r.Load = Command
	case Skill:
		r.readSkill()
	case SkillResource:
		r.Load = OnDemand
	case OpenCodeConfig:
		r.Load = Config
	case CopilotInstructions:
		if r.front.Fields["applyTo"].IsList {
			r.warnOf(ApplyToList, "applyTo", "it is a list, and VS Code takes a text only: write the globs in quotes, with commas between them")
		}
		if !r.globs("applyTo") {
			r.Load = Manual
			r.warnOfForeignGlobs("applyTo", "GitHub Copilot")
		}
	case Cursor:
		r.readCursor()
	case Devin:
		r.readDevin()
	case Cline:
		r.readCline()
	case Kiro:
		r.readKiro()
	case Amp:
		r.readAmp()
	default:
		r.always()
	}
}

// always is the load of a file that says nothing of when: below the top it
// counts in its folder.
func (r *reader) always() {
	r.Load = Always
	if r.below && r.Folder != "." {
		r.Load = Directory
	}
}

func (r *reader) never(format string, args ...any) {
	r.Load, r.Reason = Never, fmt.Sprintf(format, args...)
}

func (r *reader) warn(field, format string, args ...any) { r.warnOf("", field, format, args...) }

func (r *reader) warnOf(rule, field, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) note(rule, field, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Rule: rule, Field: field, Message: fmt.Sprintf(format, args...), Note: true})
}

// globs reads a field of globs. It reports whether there are any.
func (r *reader) globs(field string) bool {
	v := r.front.Fields[field]
	r.Globs = v.Items
	if !v.IsList {
		r.Globs = glob.Split(v.Text)
	}
	if len(r.Globs) == 0 {
		return false
	}
	r.Load, r.Source = Glob, field
	for _, g := range r.Globs {
		switch {
		case !glob.Valid(g):
			r.warn(field, `%q matches nothing: close its brackets and braces, or write \[ for a bracket, and at most %d alternatives`, g, glob.MaxAlternatives)
		case strings.Contains(g, " #"):
			r.warn(field, "%q: the comment is a part of the glob: give it a line of its own", g)
		case strings.Contains(g, `\*`):
			r.warn(field, `%q: \* stands for the character * alone: write / between folders`, g)
		}
	}
	return true
}

func (r *reader) readClaudeRule() {
	switch {
	case r.front.Broken:
		r.always()
		r.warn("", "the front matter is no valid YAML: Claude Code ignores it and always loads the rule; put globs in quotes")
	case r.globs("paths"):
	default:
		r.always()
		r.warnOfForeignGlobs("paths", "Claude Code")
	}
}

// warnOfMissing names the fields without which Claude Code knows no persona.
func (r *reader) warnOfMissing(fields ...string) {
	for _, field := range fields {
		if !r.front.Fields[field].says() {
			r.warn(field, "missing: Claude Code passes over a persona without it")
		}
	}
}

// warnOfForeignGlobs names globs that the agent does not look at, once it is known
// when the file is loaded without them.
func (r *reader) warnOfForeignGlobs(instead, agent string) {
	so := ""
	if r.Load == Always || r.Load == Directory {
		so = " and always loads the rule"
	}
	for _, field := range []string{"globs", "applyTo", "paths", "fileMatchPattern"} {
		if field != instead && r.front.Fields[field].says() {
			r.warn(field, "%s does not read it%s: write %s", agent, so, instead)
		}
	}
}

// readCursor follows Cursor, whose front matter is not quite YAML.
func (r *reader) readCursor() {
	always, globs := r.front.Fields["alwaysApply"], r.front.Fields["globs"]
	switch text := strings.ToLower(always.Text); {
	case always.IsTrue, text == "false", text == "":
	case text == "true":
		r.warn("alwaysApply", "true in quotes is a text, which Cursor does not take for true: remove the quotes")
	default:
		r.warn("alwaysApply", "%q is neither true nor false: it is taken for false", always.Text)
	}
	switch {
	case always.IsTrue:
		r.always()
	case globs.Quoted && globs.says():
		r.Globs, r.Load, r.Source = []string{`"` + globs.Text + `"`}, Manual, "globs"
		r.warn("globs", "Cursor takes the quotes for a part of the glob, so that it matches nothing: remove them")
	case r.globs("globs"):
	case r.front.Fields["description"].says():
		r.Load = Agent
	default:
		r.Load = Manual
	}
	if r.Source == "" && !always.IsTrue {
		r.warnOfForeignGlobs("globs", "Cursor")
	}
}

func (r *reader) readDevin() {
	switch trigger := r.front.Fields["trigger"].Text; trigger {
	case "always_on":
		r.always()
	case "glob":
		if !r.globs("globs") {
			r.Load = Manual
			r.warn("trigger", "glob needs globs: without them the rule is loaded only when it is named")
		}
	case "model_decision":
		r.Load = Agent
	case "manual":
		r.Load = Manual
	case "":
		r.always()
		if len(r.front.Fields) > 0 {
			r.warn("", "trigger is missing: always_on is taken; write that, glob, model_decision or manual")
		}
	default:
		r.always()
		r.warn("trigger", "%q is not always_on, glob, model_decision or manual: it is taken for always_on", trigger)
	}
}

// readCline follows Cline, which fails open.
func (r *reader) readCline() {
	paths, there := r.front.Fields["paths"]
	switch {
	case r.front.Broken:
		r.always()
		r.warn("", "the front matter is no valid YAML: Cline always loads the rule, front matter and all; put globs in quotes")
	case there && paths.IsList && len(paths.Items) == 0:
		r.never("paths is an empty list, which switches the rule off")
		r.Off = true
	case paths.IsList:
		r.globs("paths")
	default:
		r.always()
		if paths.says() {
			r.warn("paths", "it is no list, so that Cline always loads the rule: write a list")
		}
		r.warnOfForeignGlobs("paths", "Cline")
	}
}

func (r *reader) readKiro() {
	switch inclusion := r.front.Fields["inclusion"].Text; inclusion {
	case "":
		r.always()
		if r.front.Fields["fileMatchPattern"].says() {
			r.warn("fileMatchPattern", "Kiro reads it with inclusion: fileMatch only, and always loads the rule: add that")
		}
		r.warnOfForeignGlobs("fileMatchPattern", "Kiro")
	case "always":
		r.always()
	case "fileMatch":
		if !r.globs("fileMatchPattern") {
			r.never("inclusion is fileMatch and there is no fileMatchPattern: add one")
		}
	case "manual":
		r.Load = Manual
	case "auto":
		r.Load = Agent
	default:
		r.always()
		r.warn("inclusion", "%q is not always, fileMatch, manual or auto: it is taken for always", inclusion)
	}
}

// readAmp puts **/ before the globs that Amp matches at any depth.
func (r *reader) readAmp() {
	if !r.globs("globs") {
		r.always()
		return
	}
	anywhere := make([]string, len(r.Globs))
	for i, g := range r.Globs {
		if !strings.HasPrefix(g, "./") && !strings.HasPrefix(g, "../") {
			g = "**/" + g
		}
		anywhere[i] = g
	}
	r.Globs = anywhere
}

// skillName is the form of a skill's name, but for its length.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (r *reader) readSkill() {
	name, description := r.front.Fields["name"].Text, r.front.Fields["description"].Text
	r.Load = OnSkill
	switch {
	case r.Base == "template", r.Base == "skill": // it will have another folder
	case name == "" && description == "" && !strings.Contains("/"+r.path, "/skills/"):
		r.note(SkillName, "", "it has no name and no description: no agent takes it for a skill")
		return
	case name == "" && strings.Contains("/"+r.path, "/.claude/"): // Claude Code takes the folder's name
		r.note(SkillName, "name", "missing: VS Code and other agents pass over a skill without it")
	case name == "":
		r.warnOf(SkillName, "name", "missing: VS Code and other agents pass over a skill without it")
	case utf8.RuneCountInString(name) > MaxSkillName:
		r.warnOf(SkillName, "name", "it has more than %d characters: VS Code does not load the skill", MaxSkillName)
	case !skillName.MatchString(name):
		r.warnOf(SkillName, "name", "%q is not of a-z, 0-9 and single hyphens between them: VS Code does not load the skill", name)
	case r.Base != "." && name != r.Base:
		r.warnOf(SkillName, "name", "it is not the name of the folder, %q: VS Code does not load the skill", r.Base)
	}
	switch {
	case strings.TrimSpace(description) == "":
		r.warn("description", "missing: a model chooses a skill by it")
	case utf8.RuneCountInString(description) > MaxSkillDescription:
		r.warn("description", "it has more than %d characters: some agents pass over the skill", MaxSkillDescription)
	}
}
