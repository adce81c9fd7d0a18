package instructions

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/nearest"
	"instruction-catalog/rpc"
)

// SkillChoice says which entries are offered as skills.
type SkillChoice string

// Values of SkillChoice.
const (
	MarkedSkills SkillChoice = ""    // entries whose contentType is skill, or that agents load as skills
	AllSkills    SkillChoice = "all" // every entry that has a valid skill name
)

// Skills returns the skills in the order of their entries' ids, 100 per page. A skill is
// an entry served as SKILL.md, with the other files of its folder if the entry has a
// folder of its own. Entries without a valid skill name, or with the name of an earlier
// skill, are omitted.
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
		name, _ := skillName(e)
		skills[i] = t.skillOf(ctx, e, name)
	}
	return skills, string(next), ctx.Err()
}

// Skill returns the skill whose SKILL.md has the given URI.
func (t *Toolset) Skill(ctx context.Context, uri string) (rpc.Skill, error) {
	s, err := t.snapshot(ctx)
	if err != nil {
		return rpc.Skill{}, err
	}
	name, file, ok := skillNamed(uri)
	if !ok || file != skillFile {
		return rpc.Skill{}, t.noSkill(s, uri)
	}
	e, ok := t.findSkill(s, name)
	if !ok {
		return rpc.Skill{}, t.noSkill(s, uri)
	}
	return t.skillOf(ctx, e, name), ctx.Err()
}

// noSkill returns the error for an unknown skill, with the URIs of similar names.
func (t *Toolset) noSkill(s *catalog.Snapshot, uri string) error {
	var e rpc.NoResource
	if asked, file, ok := skillNamed(uri); ok && file == skillFile {
		for _, name := range nearest.Of(asked, t.skillNames(s)) {
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
		if t.config.Skills != AllSkills && e.Load != catalog.LoadSkill && !strings.EqualFold(strings.TrimSpace(e.ContentType), "skill") {
			continue
		}
		if name, ok := skillName(e); ok && !taken[name] {
			taken[name] = true
			skills = append(skills, e)
		}
	}
	return skills
}

func (t *Toolset) skillNames(s *catalog.Snapshot) []string {
	var names []string
	for _, e := range t.skillEntries(s) {
		name, _ := skillName(e)
		names = append(names, name)
	}
	return names
}

// findSkill returns the entry of the skill called asked.
func (t *Toolset) findSkill(s *catalog.Snapshot, asked string) (*catalog.Entry, bool) {
	for _, e := range t.skillEntries(s) {
		if name, _ := skillName(e); name == asked {
			return e, true
		}
	}
	return nil, false
}

// maxSkillName is the maximum length of a skill name, in characters.
const maxSkillName = 64

// plainSkillName matches names that are valid for Agent Skills, except for their length
// (agentskills.io/specification, "name field").
var plainSkillName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

func isSkillName(name string) bool {
	return len(name) <= maxSkillName && plainSkillName().MatchString(name)
}

// skillName returns the name of an entry as a skill: the name in its SKILL.md if it has
// one, else its id with hyphens in place of underscores. ok is false if the name is not
// valid.
func skillName(e *catalog.Entry) (name string, ok bool) {
	if e.Load == catalog.LoadSkill && isSkillName(e.Title) {
		return e.Title, true
	}
	name = strings.ReplaceAll(string(e.ID), "_", "-")
	return name, isSkillName(name)
}

// skillOf describes a skill. It reads the skill's files now and omits files that it
// cannot read.
func (t *Toolset) skillOf(ctx context.Context, e *catalog.Entry, name string) rpc.Skill {
	files := []rpc.SkillFile{skillFileOf(name, skillFile, []byte(skillText(e, name)))}
	if t.servesFolder(e) {
		others, _ := t.source.SkillFiles(ctx, e) // an error yields no files
		for _, file := range others {
			if data, err := t.source.ReadSkillFile(e, file); err == nil {
				files = append(files, skillFileOf(name, file, data))
			}
		}
	}
	return rpc.Skill{URI: files[0].URI, Name: name, Description: skillDescription(e), Files: files}
}

// servesFolder reports whether the skill's other files are served. If the server
// requires a signature they are not, because the signature covers only the entries.
func (t *Toolset) servesFolder(e *catalog.Entry) bool {
	return t.signed == nil && t.source.IsSkillFolder(e)
}

func skillFileOf(skill, file string, data []byte) rpc.SkillFile {
	return rpc.SkillFile{URI: skillFileURI(skill, file), Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(data)), Size: len(data)}
}

// readSkill returns the file of a skill with the given URI. ok is false if there is no
// such file.
func (t *Toolset) readSkill(ctx context.Context, s *catalog.Snapshot, uri string) (rpc.Content, bool) {
	name, file, ok := skillNamed(uri)
	if !ok {
		return rpc.Content{}, false
	}
	e, ok := t.findSkill(s, name)
	switch {
	case !ok:
		return rpc.Content{}, false
	case file == skillFile:
		return rpc.Content{URI: uri, MIMEType: markdown, Text: skillText(e, name)}, true
	case !t.servesFolder(e):
		return rpc.Content{}, false
	}
	others, _ := t.source.SkillFiles(ctx, e)
	if !slices.Contains(others, file) {
		return rpc.Content{}, false
	}
	data, err := t.source.ReadSkillFile(e, file)
	return contentOf(uri, file, data), err == nil
}

// contentOf returns the file as text if it is text in UTF-8, else as a blob.
func contentOf(uri, file string, data []byte) rpc.Content {
	kind := http.DetectContentType(data)
	switch {
	case !utf8.Valid(data) || !strings.HasPrefix(kind, "text/"):
		return rpc.Content{URI: uri, MIMEType: kind, Blob: data}
	case strings.EqualFold(path.Ext(file), ".md"):
		kind = markdown
	}
	return rpc.Content{URI: uri, MIMEType: kind, Text: string(data)}
}

func skillDescription(e *catalog.Entry) string {
	for _, text := range []string{e.SemanticSummary, e.Title} {
		if line := brief(text, maxDescription); line != "" {
			return line
		}
	}
	return "Instruction " + string(e.ID)
}

// skillText returns the SKILL.md of an entry: our own front matter and the body. Values
// are written as JSON, which is valid YAML. If the body begins with skill front matter,
// ours replaces it. Otherwise it would be read as text and could contradict the list of
// skills.
func skillText(e *catalog.Entry, name string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n%s---\n\n%s",
		yamlString(name), yamlString(skillDescription(e)), furtherFields(e), withoutSkillFrontMatter(e.Body.Text()))
}

// furtherFields returns the front matter of a SKILL.md besides name and description, one
// field per line.
func furtherFields(e *catalog.Entry) string {
	if e.Load != catalog.LoadSkill {
		return ""
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(e.Instruction().Extensions, &fields) // extensions are an object or empty
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(&lines, "%s: %s\n", yamlString(name), fields[name])
	}
	return lines.String()
}

func yamlString(line string) string {
	quoted, _ := rpc.Encode(line) // encoding a string cannot fail
	return string(quoted.Bytes())
}

// frontMatter matches front matter at the beginning of a text.
var frontMatter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A---[ \t]*\r?\n(?s:(.*?\n))---[ \t]*(?:\r?\n|\z)[\r\n]*`)
})

// nameMember and descriptionMember match the fields that every skill's front matter has.
var (
	nameMember        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^name:`) })
	descriptionMember = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^description:`) })
)

// withoutSkillFrontMatter removes skill front matter from the beginning of body. It
// returns a body that only begins with a thematic break (---) unchanged.
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
