package source

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// chooser selects the files to read from those that a walker collected.
type chooser struct {
	*walker
	places map[string]*agents.Place // of agents' files, by path
	chosen []candidate
}

// choose returns the files to read. It records the others as unread or with a
// diagnostic.
func (w *walker) choose() []candidate {
	c := chooser{walker: w, places: map[string]*agents.Place{}, chosen: make([]candidate, 0, len(w.candidates))}
	for _, m := range w.candidates {
		if m.pathPlace != nil && !m.ofSkill {
			c.places[m.path] = m.pathPlace
		}
	}
	c.repository = c.isRepository()
	c.addImported()
	for _, m := range w.candidates {
		c.add(m)
	}
	c.notePassedOver()
	return c.chosen
}

// isRepository distinguishes a repository, in which only agents' files are
// instructions, from a catalog, in which all files are. A folder is a repository if the
// path of an agent's file in it begins with a dot. A folder with .git is also a
// repository if it has an agent's file at any depth or a file in a top-level folder
// called instructions. A folder below one with .git, such as a package of a monorepo,
// is a repository if an agent's file is directly in it. A folder with a gates.json is
// always a catalog.
func (c *chooser) isRepository() bool {
	repository := false
	for _, m := range c.candidates {
		if m.path == catalog.GatesFile {
			return false
		}
		place, ok := c.places[m.path]
		repository = repository || ok && m.path[0] == '.' ||
			c.isGit && (ok && !place.IsUnread() || isEntry(m.path)) ||
			c.selection.belowGit && ok && !place.IsUnread() && place.Folder == "." && !strings.Contains(m.path, "/")
	}
	return repository
}

// isEntry reports whether p is in the top-level folder instructions, where a repository
// keeps its own catalog.
func isEntry(p string) bool { return strings.HasPrefix(p, "instructions/") }

// addImported adds to c.places the files that agents' files import with @, and the files
// that those import in turn, up to agents.ClaudeImportHops levels.
func (c *chooser) addImported() {
	there := sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for _, m := range c.candidates {
			all[m.path] = true
		}
		return all
	})
	r := newFileReader(c.root, c.drafts)
	defer r.Close()
	next := slices.Sorted(maps.Keys(c.places))
	for range agents.ClaudeImportHops {
		var found []string
		for _, p := range next {
			place, ok := c.places[p].Imported()
			if !ok {
				continue
			}
			for i := range agents.Imports(c.textOf(r, p)) {
				target := path.Join(path.Dir(p), i.Path)
				if ext := path.Ext(target); (ext == ".md" || ext == ".mdc") && there()[target] && c.loads(target, place) {
					c.places[target] = &place
					found = append(found, target)
				}
			}
		}
		next = found
	}
}

// loads reports whether the file at target is loaded only because another file imports
// it.
func (c *chooser) loads(target string, imported agents.Place) bool {
	place := c.places[target]
	switch {
	case imported.Kind == agents.Amp:
		return place == nil
	case !c.repository, isEntry(target):
		return false // target is an entry of the catalog
	}
	return place == nil || place.IsUnread()
}

// textOf returns the text of an agent's file, or "" if it cannot be read. It reports no
// diagnostic, because reading the file as an entry does.
func (c *chooser) textOf(r *fileReader, p string) string {
	f, err := r.Read(p, MaxFile)
	if errors.Is(err, files.ErrLink) {
		var target string
		if target, err = c.follow(p); err == nil {
			f, err = r.Read(target, MaxFile)
		}
	}
	if files.Exhausted(err) {
		c.exhausted = err
	}
	if err != nil {
		return ""
	}
	return string(f.Data)
}

// add adds a file to c.chosen, or records why it is not read.
func (c *chooser) add(m candidate) {
	name, place := m.name, c.places[m.path]
	switch {
	case c.selection.excludes(m.path):
		c.unread.add(anExcluded, m.path)
	case c.repository && isVendored(m.path) && !c.selection.includes(m.path):
		c.unread.add(aDependency, m.path)
	case c.repository && !isEntry(m.path) && isSample(m.path) && (m.pathPlace != nil || mayBePlugin(m.path)) && !c.selection.includes(m.path):
		c.unread.add(aSample, m.path)
	case m.ofSkill && m.kind.Type()&fs.ModeSymlink != 0:
		c.unread.add(aSkillsLink, strings.ToValidUTF8(m.path, "\uFFFD"))
	case m.ofSkill, place != nil && place.Kind == agents.SkillResource:
		c.unread.add(aSkillsFile, m.path)
	case place != nil && place.Kind == agents.OpenCodeConfig:
		c.unread.add(anAgentsConf, m.path)
	case place != nil:
		m.place = place
		c.addFile(m)
	case c.repository && c.isLinkToFolder(m):
		c.unread.add(aLink, strings.ToValidUTF8(m.path, "\uFFFD"))
	case c.repository && m.path == "instructions/"+catalog.GatesFile:
		c.report(GatesElsewhere, catalog.SeverityNote, m.path, "these gates belong to the catalog in that folder, and are evaluated with --dir instructions")
	case c.isMisplacedGates(m.path):
		c.report(GatesElsewhere, catalog.SeverityError, m.path, "these gates are not evaluated: a catalog has them at its top, in a file named exactly %s; move it there, or name its folder with --dir", catalog.GatesFile)
	case name == ".gitignore", isMetadata(name), m.path == catalog.CriteriaFile, m.path == "docs/"+catalog.CriteriaFile, strings.HasSuffix(strings.ToLower(name), ".schema.json"):
	case name[0] == '.':
		c.unread.add(aDotFile, strings.ToValidUTF8(m.path, "\uFFFD"))
	case strings.EqualFold(name, "README.md") && (c.repository || c.isGit):
		c.unread.add(aReadme, m.path)
	case mayBePlugin(m.path):
		if m.persona = format.MaybePersona; c.repository && !isEntry(m.path) {
			m.persona = format.PersonaOnly
		}
		c.addFile(m)
	case c.repository && !isEntry(m.path) && format.MayBeEntry(m.path):
		c.unread.addFile(m.path, noAgentsFile)
	case m.kind.Type()&fs.ModeSymlink == 0 && !format.MayBeEntry(m.path) && utf8.ValidString(m.path), c.repository && !format.MayBeEntry(m.path):
		c.unread.addFile(strings.ToValidUTF8(m.path, "\uFFFD"), noInstruction)
	default:
		c.addFile(m)
	}
}

// isMisplacedGates reports whether a file is named gates.json, ignoring case, but is
// not the gates file of the catalog. Such a file needs a diagnostic, because its author
// may believe that its gates are evaluated.
func (c *chooser) isMisplacedGates(p string) bool {
	return strings.EqualFold(path.Base(p), catalog.GatesFile) && p != catalog.GatesFile && (!c.repository || isEntry(p))
}

func (c *chooser) isLinkToFolder(m candidate) bool {
	if m.kind.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := c.root.Stat(m.path)
	return err == nil && info.IsDir()
}

func isVendored(p string) bool {
	return strings.HasPrefix(p, "vendor/") || strings.Contains(p, "/vendor/")
}

func mayBePlugin(p string) bool {
	folder := path.Base(path.Dir(p))
	return (folder == "agents" || folder == "commands") && path.Ext(p) == ".md"
}

// addFile adds a file to c.chosen, or reports why it cannot be read.
func (c *chooser) addFile(m candidate) {
	switch {
	case !utf8.ValidString(m.path):
		c.report(FileName, catalog.SeverityError, strings.ToValidUTF8(m.path, "\uFFFD"), "the name is not valid UTF-8: rename it")
	case m.kind&fs.ModeSymlink != 0:
		c.addLink(m)
	case !m.kind.IsRegular():
		c.report(FileUnreadable, catalog.SeverityError, m.path, "%s", errNotRegular)
	default:
		m.identity = m.listed
		c.chosen = append(c.chosen, m)
	}
}

// notePassedOver reports files that one agent does not read because of other files at
// the top. The files are served nevertheless, because other agents read them.
func (c *chooser) notePassedOver() {
	top := map[agents.Kind]bool{}
	for _, place := range c.places {
		if place.Folder == "." {
			top[place.Kind] = true
		}
	}
	for p, place := range c.places {
		if agent, instead := place.PassedOver(top); agent != "" {
			c.report(FileShadowed, catalog.SeverityNote, p, "%s reads the file of kind %s beside it instead", agent, instead)
		}
	}
}
