package instructions

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// SkillChoice says which entries agents are offered as skills.
type SkillChoice string

// The choices.
const (
	MarkedSkills SkillChoice = ""    // those whose contentType is skill
	AllSkills    SkillChoice = "all" // every entry that can be one
)

// Skills returns the skills in the order of their entries' ids, 100 on a page.
// A skill is an entry as one file, SKILL.md. An entry whose id gives no name for
// a skill, or one that an earlier entry has, is none.
func (t *Toolset) Skills(ctx context.Context, cursor string) ([]rpc.Skill, string, error) {
	s, err := t.snapshot(ctx)
	if err != nil {
		return nil, "", err
	}
	page, next, err := s.Page(t.skillEntries(s), pageSize, catalog.Cursor(cursor))
	if err != nil {
		return nil, "", rpc.BadParam("cursor", err.Error())
	}
	skills := make([]rpc.Skill, len(page))
	for i, e := range page {
		name, _ := skillName(e.ID)
		skills[i] = skillOf(e, name)
	}
	return skills, string(next), nil
}

// Skill returns one skill by the URI of its SKILL.md.
func (t *Toolset) Skill(ctx context.Context, uri string) (rpc.Skill, error) {
	s, err := t.snapshot(ctx)
	if err != nil {
		return rpc.Skill{}, err
	}
	e, name, ok := t.findSkill(s, uri)
	if !ok {
		return rpc.Skill{}, t.noSkill(s, uri)
	}
	return skillOf(e, name), nil
}

// noSkill is the error for a skill that is not there.
func (t *Toolset) noSkill(s *catalog.Snapshot, uri string) error {
	var e rpc.NoResource
	if asked, ok := skillNamed(uri); ok {
		for _, name := range nearest(asked, t.skillNames(s)) {
			e.Nearest = append(e.Nearest, skillURI(name))
		}
	}
	return e
}

// skillEntries returns the entries that are skills, in id order.
func (t *Toolset) skillEntries(s *catalog.Snapshot) []*catalog.Entry {
	taken := map[string]bool{}
	var skills []*catalog.Entry
	for _, e := range s.Entries() {
		if t.config.Skills != AllSkills && !strings.EqualFold(strings.TrimSpace(e.ContentType), "skill") {
			continue
		}
		if name, ok := skillName(e.ID); ok && !taken[name] {
			taken[name] = true
			skills = append(skills, e)
		}
	}
	return skills
}

func (t *Toolset) skillNames(s *catalog.Snapshot) []string {
	var names []string
	for _, e := range t.skillEntries(s) {
		name, _ := skillName(e.ID)
		names = append(names, name)
	}
	return names
}

func (t *Toolset) findSkill(s *catalog.Snapshot, uri string) (e *catalog.Entry, name string, ok bool) {
	asked, ok := skillNamed(uri)
	if !ok {
		return nil, "", false
	}
	for _, e := range t.skillEntries(s) {
		if name, _ := skillName(e.ID); name == asked {
			return e, name, true
		}
	}
	return nil, "", false
}

// maxSkillName is how many characters the name of a skill may have.
const maxSkillName = 64

// skillName is the name of an entry as a skill: its id with hyphens for
// underscores. Agent Skills allows no two hyphens in a row
// (agentskills.io/specification, "name field").
func skillName(id catalog.ID) (name string, ok bool) {
	name = strings.ReplaceAll(string(id), "_", "-")
	return name, len(name) <= maxSkillName && !strings.Contains(name, "--")
}

func skillOf(e *catalog.Entry, name string) rpc.Skill {
	text := skillText(e, name)
	file := rpc.SkillFile{
		URI:    skillURI(name),
		Digest: "sha256:" + string(catalog.FingerprintOf(text)),
		Size:   len(text),
	}
	return rpc.Skill{URI: file.URI, Name: name, Description: skillDescription(e), Files: []rpc.SkillFile{file}}
}

func skillDescription(e *catalog.Entry) string {
	for _, text := range []string{e.SemanticSummary, e.Title} {
		if line := brief(text, maxDescription); line != "" {
			return line
		}
	}
	return "Instruction " + string(e.ID)
}

// skillText is the SKILL.md of an entry: front matter of our own, whose two
// strings are written as JSON, which is YAML too, and the body. Front matter
// that the body brings along gives way to ours: left below it, it would be read
// as text, and what it promises would not be what the list of skills said.
func skillText(e *catalog.Entry, name string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n%s",
		yamlString(name), yamlString(skillDescription(e)), withoutSkillFrontMatter(e.Body.Text()))
}

func yamlString(line string) string {
	quoted, _ := rpc.Encode(line) // a string always can be
	return string(quoted.Bytes())
}

// frontMatter is what a text begins with if it begins with front matter.
var frontMatter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A---[ \t]*\r?\n(?s:(.*?\n))---[ \t]*(?:\r?\n|\z)[\r\n]*`)
})

// The members that the front matter of every skill has.
var (
	nameMember        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^name:`) })
	descriptionMember = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^description:`) })
)

// withoutSkillFrontMatter returns a body without the front matter of a skill. A
// body that only begins with a rule has none, and stays as it is.
func withoutSkillFrontMatter(body string) string {
	found := frontMatter().FindStringSubmatchIndex(body)
	if found == nil {
		return body
	}
	front := body[found[2]:found[3]]
	if !nameMember().MatchString(front) || !descriptionMember().MatchString(front) {
		return body
	}
	return body[found[1]:]
}
