package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/agents"
)

// addSkill adds an entry as a skill, with all of its files. It returns the path of the
// skill's SKILL.md. ok is false if that file cannot be added; see addWhole.
func (r *renderer) addSkill(t *agents.Target, it *item) (p string, ok bool) {
	name := it.skillName()
	p = t.SkillPath(name)
	f := File{Path: p}
	if it.kind == agents.Skill && it.Data != nil {
		f.Content = it.Data
		if name != it.Entry.Title {
			r.warn(t, it, "title", "not every agent finds a skill called %q: its folder is called %s", it.Entry.Title, name)
		}
	} else {
		var start int
		f.Content, start = it.withFront(p, agents.SkillFront(name, cmp.Or(it.description, it.Entry.Title)))
		f.Sections = []Section{{ID: it.ref.ID, Start: start, End: len(f.Content)}}
		if name != string(it.ref.ID) && it.load == agents.ByModel {
			r.warn(t, it, "id", "it cannot be the name of a skill: it is called %s", name)
		}
		r.warnOfFields(t, it)
	}
	if n := utf8.RuneCountInString(it.description); n > agents.MaxSkillDescription {
		r.warn(t, it, "semanticSummary", "it has %d characters, and agents skip a skill with more than %d", n, agents.MaxSkillDescription)
	}
	if !r.addWhole(t, it, f) {
		return "", false
	}
	r.addSkillFiles(t, it, path.Dir(p))
	return p, true
}

// addSkillFiles adds the other files of a skill below folder. It skips unsafe paths
// with a warning.
func (r *renderer) addSkillFiles(t *agents.Target, it *item, folder string) {
	for _, name := range slices.Sorted(maps.Keys(it.Files)) {
		if !agents.IsSafe(name) {
			r.warn(t, it, "", "its file %q is not a path that rendering writes: it is left out", name)
			continue
		}
		r.addWhole(t, it, File{Path: path.Join(folder, name), Content: it.Files[name]})
	}
}

// skillName returns the name of the entry as a skill: its title if the entry is a skill
// and the title is a valid name, or else a name made from its id.
func (it *item) skillName() string {
	if it.load == agents.OnSkill && agents.IsSkillName(it.Entry.Title) {
		return it.Entry.Title
	}
	parts := strings.FieldsFunc(string(it.ref.ID), func(r rune) bool { return r == '-' || r == '_' })
	name := strings.Join(parts, "-")
	return strings.TrimRight(name[:min(len(name), agents.MaxSkillName)], "-")
}
