package agents

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Target describes where the entries of a catalog are written so that an agent loads
// them, and in which form.
type Target struct {
	Name string
	// Shared is the name of the file with a region for the entries that are always
	// loaded; "" if each has a file of its own. If Nested is set, a file with this name
	// in a folder is loaded for everything below that folder. It holds the entries
	// whose globs match only there.
	Shared string
	Nested bool
	// Rules is the path of an entry's own file, with * in place of the entry's id.
	Rules string
	// Skills is the folder of skills.
	Skills string
	// ByAgent says how to write an entry that the model chooses, and ByHand one that a
	// person chooses.
	ByAgent, ByHand Way
	// Front returns the front matter of an entry's own file, without the fences; "" for
	// no front matter.
	Front  func(Intent) string
	kinds  []Kind
	skills []string // dot folders whose skills folder belongs to the target
	// anyDepth reports whether a glob without a slash matches at any depth.
	anyDepth bool
}

// Way says how to write an entry whose load is ByModel or Manual.
type Way uint8

// The ways to write such an entry.
const (
	LeftOut Way = iota
	ByRule      // as a file of its own
	BySkill     // as a skill
	ByLine      // as a skill, and a line in the shared file that names it
)

// Intent is what the front matter of an entry's own file must express.
type Intent struct {
	ID          string
	Load        Load // Always, Glob, ByModel or Manual
	Globs       []string
	Description string
}

// Targets returns the targets of all agents.
func Targets() []*Target {
	var found []*Target
	for _, a := range all {
		if a.Target != nil {
			found = append(found, a.Target)
		}
	}
	return found
}

// TargetNamed returns the target with the given name, or nil if there is none.
func TargetNamed(name string) *Target {
	for _, t := range Targets() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// TargetOf returns the target that a file of the given kind and path belongs to, or nil
// if it belongs to none.
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

// MayWrite reports whether rendering could ever write a file at p for the target.
func (t *Target) MayWrite(p string) bool {
	place, ok := At(p)
	return IsSafe(p) && ok && place.never == "" && t.owns(place.Kind, p)
}

// IsSafe reports whether p stays in the repository and outside of git's own files, and
// means the same on every operating system.
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

// RulePath returns the path of the file for the entry with the given id.
func (t *Target) RulePath(id string) string { return strings.Replace(t.Rules, "*", id, 1) }

// SkillPath returns the path of the SKILL.md of a skill.
func (t *Target) SkillPath(name string) string { return path.Join(t.Skills, name, "SKILL.md") }

// Globs returns the globs as the target writes them, relative to the top of the
// repository. lost says what the target cannot express; "" if nothing is lost.
func (t *Target) Globs(globs []string) (written []string, lost string) {
	for _, g := range globs {
		switch {
		case strings.HasPrefix(g, "!"):
			lost = "its documentation does not mention negated globs: they are left out"
			continue
		case t.anyDepth && !strings.Contains(g, "/"):
			lost = "it is not documented where a glob without a slash matches: it may match at any depth"
		}
		written = append(written, g)
	}
	return written, lost
}

// yamlList returns a YAML field whose value is a list of texts.
func yamlList(name string, items []string) string {
	var b strings.Builder
	b.WriteString(name + ":\n")
	for _, item := range items {
		b.WriteString("  - " + quoted(item) + "\n")
	}
	return b.String()
}

// yamlText returns a YAML field whose value is a text, or "" if the text is empty.
func yamlText(name, text string) string {
	if text == "" {
		return ""
	}
	return name + ": " + quoted(text) + "\n"
}

// quoted returns a text in double quotes that is valid in YAML and JSON.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// bareText returns a field for a reader that uses the rest of the line as the value, or
// "" if the text is empty. It adds quotes only if YAML would misread the text.
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
