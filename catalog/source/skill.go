package source

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
)

// IsSkillFolder reports whether an entry is a SKILL.md in a folder of its own. That
// whole folder is the skill. It is false for entries of a bundle.
func (s *Source) IsSkillFolder(e *catalog.Entry) bool {
	return e.Load == catalog.LoadSkill && path.Base(e.Origin.Path) == "SKILL.md" && path.Dir(e.Origin.Path) != "."
}

// SkillFiles returns the other files of the skill whose SKILL.md is the entry e. The
// paths are relative to the skill's folder, with slashes, sorted. It omits files that a
// walk skips, symbolic links, and files whose names begin with a dot, which may be
// settings with a secret. Each call lists the folder again.
func (s *Source) SkillFiles(ctx context.Context, e *catalog.Entry) ([]string, error) {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return nil, explain("folder", s.path, err)
	}
	defer root.Close()
	dir := path.Dir(e.Origin.Path)
	w := walker{root: root, drafts: s.folder.drafts}
	if err := w.walk(ctx, folderListing{path: dir, rules: w.rulesIn(path.Dir(dir)).rules, inSkill: true}); err != nil {
		return nil, err
	}
	var found []string
	for _, m := range w.candidates {
		name := strings.TrimPrefix(m.path, dir+"/")
		if m.kind.IsRegular() && m.path != e.Origin.Path && path.Base(name)[0] != '.' && utf8.ValidString(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found, nil
}

// ReadSkillFile reads one of the [Source.SkillFiles] of an entry. A file of more than 4
// MiB is an error.
func (s *Source) ReadSkillFile(e *catalog.Entry, name string) ([]byte, error) {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return nil, explain("folder", s.path, err)
	}
	defer root.Close()
	r := newFileReader(root, s.folder.drafts)
	defer r.Close()
	f, err := r.Read(path.Join(path.Dir(e.Origin.Path), name), MaxFile)
	return f.Data, err
}
