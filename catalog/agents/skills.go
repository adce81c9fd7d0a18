package agents

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The maximum lengths of a skill's name and description, in characters.
const (
	MaxSkillName        = 64
	MaxSkillDescription = 1024
)

// agentSkills describes the format of skills that several agents share. It is not an
// agent.
var agentSkills = Agent{
	Facts: []Fact{
		{"SKILL.md and its bounds", "agentskills/agentskills docs/specification.mdx @00d5a46", "2026"},
		{".agent/skills, where Antigravity looked before .agents/skills", "codelabs.developers.google.com/getting-started-with-antigravity-skills, atamel.dev/posts/2026/07-01_where_agy_agent_skills", "2026-07"},
	},
	rows: []Row{
		{Pattern: "{,.*/skills/**/}SKILL.md", Kind: Skill, Readers: bySkills},
		{Pattern: ".*/skills/*/**", Kind: SkillResource, Readers: bySkills},
	},
	forms: []form{
		{kind: Skill, reads: []string{"name", "description"}, loaded: "`skill`", read: (*reader).readSkill},
		{kind: SkillResource, loaded: "part of its skill, not an entry", read: func(r *reader) { r.Load = OnDemand }},
	},
}

const bySkills = "Claude Code, VS Code, Gemini CLI and others"

// skillName matches a valid name of a skill. It does not check the length.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// IsSkillName reports whether every agent loads a skill with this name.
func IsSkillName(name string) bool { return len(name) <= MaxSkillName && skillName.MatchString(name) }

// SkillFront returns the front matter of a SKILL.md, without the fences.
func SkillFront(name, description string) string {
	return yamlText("name", name) + yamlText("description", description)
}

func (r *reader) readSkill() {
	name, description := r.front.Fields["name"].Text, r.front.Fields["description"].Text
	r.Load = OnSkill
	if name == "" && description == "" && !strings.Contains("/"+r.path, "/skills/") {
		r.note(SkillName, "", "it has neither name nor description: no agent treats it as a skill")
		return
	}
	if r.Base != "template" && r.Base != "skill" { // a template is copied to another folder
		r.checkSkillName(name)
	}
	switch {
	case strings.TrimSpace(description) == "":
		r.warn(SkillDescription, "description", "missing: models choose skills by it")
	case utf8.RuneCountInString(description) > MaxSkillDescription:
		r.warn(SkillDescription, "description", "it has more than %d characters: some agents skip the skill", MaxSkillDescription)
	}
}

// checkSkillName warns of a name with which some agents do not load the skill. In a
// folder where no agent looks for skills, it adds a note instead.
func (r *reader) checkSkillName(name string) {
	tell := r.note
	if r.isSkillsFolder() {
		tell = r.warn
	}
	switch {
	case name == "" && strings.Contains("/"+r.path, "/.claude/"): // Claude Code uses the folder's name
		r.note(SkillName, "name", "missing: VS Code and other agents skip a skill without it")
	case name == "":
		tell(SkillName, "name", "missing: VS Code and other agents skip a skill without it")
	case utf8.RuneCountInString(name) > MaxSkillName:
		tell(SkillName, "name", "it has more than %d characters: VS Code does not load the skill", MaxSkillName)
	case !skillName.MatchString(name):
		tell(SkillName, "name", "%q is not made of a-z, 0-9 and single hyphens between them: VS Code does not load the skill", name)
	case r.Base != "." && name != r.Base:
		tell(SkillName, "name", "it is not the name of the folder, %q: VS Code does not load the skill", r.Base)
	}
}

// isSkillsFolder reports whether agents look for skills at this path: below a dot
// folder, or in or right below a folder called skills, as in a plugin.
func (r *reader) isSkillsFolder() bool {
	p := "/" + r.path
	if strings.Contains(p, "/.agent/") { // Antigravity's folder; its rules for names are not documented
		return false
	}
	return strings.Contains(p, "/.") || r.Base == "skills" || path.Base(path.Dir(path.Dir(p))) == "skills"
}
