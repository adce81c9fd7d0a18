package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source/agentfile"
)

// walker collects the files below a root.
type walker struct {
	root        *os.Root
	known       map[string][]listed   // what the walk before has found, by folder
	hasChanged  func(dir string) bool // since then; nil for everything
	listings    map[string][]listed   // what this one finds
	members     []member
	folders     []string // that were looked into
	unreadable  []string // folders
	isGit       bool     // .git lies at the top
	wholeTree   bool     // all that git does not ignore is listed, as for [Source.Tree]
	skipped     []string // folders that were not looked into, if it is
	inForce     map[string]folderRules
	unread      unread
	diagnostics []catalog.Diagnostic
	exhausted   error // nothing more could be opened, whatever it was; see files.Exhausted
}

// listed is a member of a folder.
type listed struct {
	name, path string // within the folder, and within the catalog with slashes
	kind       fs.FileMode
	identity   files.Identity
	place      *agentfile.Place // nil for what is no agent's file
}

func (l *listed) isDir() bool { return l.kind.IsDir() }

// member is a file that might be read.
type member struct {
	*listed
	ofSkill bool // it lies in a skill's folder, and is not its SKILL.md
}

// list returns what is in a folder.
func (w *walker) list(dir string) ([]listed, error) {
	if known, ok := w.known[dir]; ok && w.hasChanged != nil && !w.hasChanged(dir) {
		return known, nil
	}
	entries, err := files.List(w.root, dir)
	all := make([]listed, len(entries))
	for i, e := range entries {
		l := &all[i]
		*l = listed{name: e.Name(), path: path.Join(dir, e.Name()), kind: e.Type()}
		if w.known != nil { // else there is nothing to compare it with, and its reading tells it
			if info, err := e.Info(); err == nil {
				l.identity = files.IdentityOf(info, time.Now())
			}
		}
		if w.wholeTree || l.isDir() {
			continue
		}
		if place, ok := agentfile.At(l.path); ok {
			l.place = &place
		}
	}
	return all, err
}

// maxFolders is how many folders may lie in each other below the top. To open one
// takes a step for each above it.
const maxFolders = 64

// folderListing is a folder to look into, and what is in it.
type folderListing struct {
	path    string  // within the catalog, with slashes
	rules   ignored // of the folders above
	inSkill bool

	members []listed
	err     error // of listing them
}

// walk goes through a folder and those below it, level by level: the folders of one
// are listed on every processor. Its error is that of ctx or of reading the root
// itself; a subfolder that cannot be read is a diagnostic.
func (w *walker) walk(ctx context.Context, top folderListing) error {
	for level := []folderListing{top}; len(level) > 0; {
		err := inParallel(ctx, len(level), func(share iter.Seq[int]) {
			for i := range share {
				level[i].members, level[i].err = w.list(level[i].path)
			}
		})
		if err != nil {
			return err
		}
		var below []folderListing
		for _, f := range level {
			if w.wholeTree && len(w.members) > maxTree {
				return errTreeTooLarge
			}
			in, err := w.lookInto(f)
			if err != nil {
				return err
			}
			below = append(below, in...)
		}
		level = below
	}
	return nil
}

// lookInto takes up what was listed of a folder, and returns the folders in it that
// are to be looked into.
func (w *walker) lookInto(f folderListing) (below []folderListing, err error) {
	dir, members, err := f.path, f.members, f.err
	switch {
	case err != nil && dir == ".":
		return nil, err
	case errors.Is(err, fs.ErrNotExist): // it was there a moment ago
		return nil, nil
	case files.Exhausted(err):
		return nil, err
	case err != nil:
		w.unreadable = append(w.unreadable, dir)
		w.report(catalog.SeverityError, dir,
			"the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", files.Cause(err))
	}
	w.folders = append(w.folders, dir)
	if err == nil && w.listings != nil {
		w.listings[dir] = members
	}
	rules, isSkill := f.rules, false
	for _, m := range members {
		switch m.name {
		case ".gitignore":
			rules = w.readIgnored(rules, dir, m.path)
		case "SKILL.md":
			isSkill = dir != "."
		}
	}
	w.keepRules(dir, folderRules{rules: rules})
	for i := range members {
		m := &members[i]
		switch {
		case w.passesOver(dir, m):
		case rules.has(m.path, m.isDir()):
			w.unread.add(anIgnored, m.path)
			w.skipped = append(w.skipped, m.path)
		case m.isDir() && strings.Count(m.path, "/") == maxFolders:
			w.report(catalog.SeverityError, m.path, "folders lie more than %d deep in each other, and what is in this one was not read: move it up, or begin its name with '_' to leave it out", maxFolders)
		case m.isDir():
			below = append(below, folderListing{path: m.path, rules: rules, inSkill: f.inSkill || isSkill})
		default:
			w.members = append(w.members, member{m, f.inSkill || isSkill && m.name != "SKILL.md"})
		}
	}
	return below, nil
}

// passesOver reports whether the name says that nothing here or below is read.
func (w *walker) passesOver(dir string, m *listed) bool {
	name, p := m.name, m.path
	switch {
	case w.wholeTree:
		skipped := name == ".git" || m.isDir() && (name == "node_modules" || !utf8.ValidString(name))
		if skipped {
			w.skipped = append(w.skipped, p)
		}
		return skipped
	case m.isDir() && !utf8.ValidString(name):
		w.report(catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
		return true
	case name == ".git":
		w.isGit = w.isGit || dir == "."
		return true
	case name[0] == '_':
		return true
	case m.isDir() && name[0] == '.' && !agentfile.IsFolder(name):
		w.unread.add(aDotFolder, p)
		return true
	case m.isDir() && name == "node_modules":
		w.unread.add(aDependency, p)
		return true
	}
	return false
}

func (w *walker) report(severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...),
	})
}

// form is how an instruction file is written.
type form uint8

const (
	noForm form = iota // not an instruction file
	jsonForm
	markdownForm
	tomlForm
)

// formOf is the form of the file of that path, by its extension, or as a file
// that an agent loads.
func formOf(p string) form {
	switch strings.ToLower(path.Ext(p)) {
	case ".json":
		return jsonForm
	case ".md":
		return markdownForm
	}
	place, ok := agentfile.At(p)
	switch {
	case !ok:
		return noForm
	case place.Kind == agentfile.GeminiCommand:
		return tomlForm
	}
	return markdownForm
}
