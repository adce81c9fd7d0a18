package crosscheck

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// part is a Markdown file of a skill other than its SKILL.md.
type part struct {
	skill              *catalog.Entry
	folder, file, text string
}

// partsOf returns the files of skills and of Kiro's powers that an agent may read:
// those that the main file names, and those that a named file names in turn. The other
// files are treated as data, such as the fixtures of a skill's scripts. skills is keyed
// by folder.
func (t *tree) partsOf(skills map[string]entryText) (found []part) {
	if len(skills) == 0 {
		return nil
	}
	files := map[string][]string{} // by the folder of the skill
	for _, file := range t.Files {
		folder := skillOf(file, skills)
		if folder != "" && strings.EqualFold(path.Ext(file), ".md") && path.Base(file) != "SKILL.md" && path.Base(file) != "POWER.md" && !isSample(strings.TrimPrefix(file, folder)) {
			files[folder] = append(files[folder], file)
		}
	}
	for folder, all := range files {
		for texts := []string{skills[folder].body}; len(texts) > 0; texts = texts[1:] {
			all = slices.DeleteFunc(all, func(file string) bool {
				if !names(texts[0], strings.TrimPrefix(file, folder+"/")) {
					return false
				}
				if text, ok := t.Text(file); ok {
					texts = append(texts, text)
					found = append(found, part{skills[folder].Entry, folder, file, text})
				}
				return true
			})
		}
	}
	slices.SortFunc(found, func(a, b part) int { return strings.Compare(a.file, b.file) })
	return found
}

// names reports whether a text names a file of its skill, or a folder that contains
// the file.
func names(text, file string) bool {
	if strings.Contains(text, path.Base(file)) {
		return true
	}
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if base := path.Base(folder); strings.Contains(text, base+"/") || strings.Contains(text, "`"+base+"`") {
			return true
		}
	}
	return false
}

// skillOf returns the folder of the skill that a file is part of, or "".
func skillOf(file string, skills map[string]entryText) string {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if _, ok := skills[folder]; ok {
			return folder
		}
	}
	return ""
}

// isSample reports whether a file is meant to be copied, so that its links are
// relative to another folder.
func isSample(p string) bool {
	return strings.Contains(strings.ToLower(path.Base(p)), "template") || inSamples(p)
}

// inSamples reports whether a path is in a folder of samples.
func inSamples(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(folder string) bool {
		switch strings.ToLower(folder) {
		case "assets", "templates", "template", "examples", "example", "samples", "fixtures", "testdata", "test-data":
			return true
		}
		return false
	})
}

// skillsLock is the file in which the skills command line program records the skills that
// it installed, by name (source: github.com/vercel-labs/skills, 2026).
const skillsLock = "skills-lock.json"

// isInstalled reports whether a file belongs to a skill that was installed from another
// repository. Its mistakes must be corrected there.
func (t *tree) isInstalled(file string) bool {
	for rest := "/" + file; ; {
		_, below, found := strings.Cut(rest, "/skills/")
		if !found {
			return false
		}
		if name, _, inFolder := strings.Cut(below, "/"); inFolder && t.installed()[name] {
			return true
		}
		rest = "/" + below
	}
}

// installedSkills returns the names of the skills in [skillsLock]. There are none if the
// file is missing or malformed.
func (t *Tree) installedSkills() map[string]bool {
	names := map[string]bool{}
	if !slices.Contains(t.Files, skillsLock) {
		return names
	}
	text, _ := t.Text(skillsLock)
	var lock struct {
		Skills map[string]json.RawMessage `json:"skills"`
	}
	if err := json.Unmarshal([]byte(text), &lock); err == nil {
		for name := range lock.Skills {
			names[name] = true
		}
	}
	return names
}
