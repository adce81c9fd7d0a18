package agents

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Target says where the entries of a catalog go so that an agent loads them, and how
// they are written.
type Target struct {
	Name string
	// Shared is the name of the file in whose region entries stand that are always loaded;
	// "" if each has a file of its own. With Nested, such a file in a folder is loaded for
	// what lies below it, and takes what is loaded by glob.
	Shared string
	Nested bool
	// Rules is the path of an entry's own file, with * for its id.
	Rules string
	// Skills is the folder of skills.
	Skills string
	// ByAgent, ByHand say how an entry is written that the model or a person chooses.
	ByAgent, ByHand Way
	// Front returns the front matter of an entry's own file, without the fences; "" for
	// no front matter.
	Front  func(Intent) string
	kinds  []Kind
	skills []string // dot folders whose folder skills belongs to the target
	// anyDepth says that a glob without a slash matches at any depth.
	anyDepth bool
}

// Way is how an entry is written whose load is not always or glob.
type Way uint8

// The ways.
const (
	LeftOut Way = iota
	ByRule      // as a file of its own
	BySkill     // as a skill
	ByLine      // as a skill, and a line in the shared file that names it
)

// Intent is what an entry's own file is to say.
type Intent struct {
	ID          string
	Load        Load // Always, Glob, Agent or Manual
	Globs       []string
	Description string
}

// Targets returns all targets.
func Targets() []*Target {
	var found []*Target
	for _, a := range all {
		if a.Target != nil {
			found = append(found, a.Target)
		}
	}
	return found
}

// TargetNamed returns the target of that name; nil if there is no such target.
func TargetNamed(name string) *Target {
	for _, t := range Targets() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// TargetOf returns the target to which a file of that kind and path belongs; nil if it
// belongs to none.
func TargetOf(kind Kind, p string) *Target {
	for _, t := range Targets() {
		if t.owns(kind, p) {
			return t
		}
	}
	return nil
}

func (t *Target) owns(kind Kind, p string) bool {
	if kind != Skill && kind != SkillResource {
		return slices.Contains(t.kinds, kind)
	}
	return slices.ContainsFunc(t.skills, func(folder string) bool { return strings.Contains("/"+p, "/"+folder+"/skills/") })
}

// MayWrite reports whether rendering could ever write a file of that path for the target.
func (t *Target) MayWrite(p string) bool {
	place, ok := At(p)
	return IsSafe(p) && ok && place.never == "" && t.owns(place.Kind, p)
}

// IsSafe reports whether a path stays in the repository, out of git's own files, and says
// the same on every system.
func IsSafe(p string) bool {
	if p == "" || path.Clean(p) != p || path.IsAbs(p) || strings.ContainsAny(p, "\\:*?\"<>|\x00") {
		return false
	}
	for segment := range strings.SplitSeq(p, "/") {
		if segment == ".." || segment == "." || strings.EqualFold(segment, ".git") || strings.HasSuffix(segment, ".") || strings.HasSuffix(segment, " ") {
			return false
		}
		if strings.ContainsFunc(segment, func(r rune) bool { return r < ' ' || r == 0x7F }) {
			return false
		}
	}
	return true
}

// RulePath returns the path of the file of its own for an entry.
func (t *Target) RulePath(id string) string { return strings.Replace(t.Rules, "*", id, 1) }

// SkillPath returns the path of the SKILL.md of a skill.
func (t *Target) SkillPath(name string) string { return path.Join(t.Skills, name, "SKILL.md") }

// Globs returns globs from the top of the repository as the target writes them, and what
// is lost by that; "" if nothing is.
func (t *Target) Globs(globs []string) (written []string, lost string) {
	for _, g := range globs {
		switch {
		case strings.HasPrefix(g, "!"):
			lost = "globs that take away are not documented for it: they are left out"
			continue
		case t.anyDepth && !strings.Contains(g, "/"):
			lost = "it is not documented where a glob without a slash matches: it may match at any depth"
		}
		written = append(written, g)
	}
	return written, lost
}

// yamlList is a field whose value is a list of texts.
func yamlList(name string, items []string) string {
	var b strings.Builder
	b.WriteString(name + ":\n")
	for _, item := range items {
		b.WriteString("  - " + quoted(item) + "\n")
	}
	return b.String()
}

// yamlText is a field whose value is a text; "" if it is empty.
func yamlText(name, text string) string {
	if text == "" {
		return ""
	}
	return name + ": " + quoted(text) + "\n"
}

// quoted is a text in double quotes, as YAML and JSON have it.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// bareText is a field for a reader that takes the rest of the line as it is.
func bareText(name, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	if strings.ContainsAny(text[:1], "\"'[]{}|>&*!%@`#-?") || strings.Contains(text, " #") {
		return name + ": " + quoted(text) + "\n"
	}
	return name + ": " + text + "\n"
}
