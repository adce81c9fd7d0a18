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
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// walker collects the files below a root.
type walker struct {
	root        *os.Root
	drafts      drafts
	known       map[string][]dirEntry // what the walk before has found, by folder
	hasChanged  func(dir string) bool // since then; nil for everything
	listings    map[string][]dirEntry // what this one finds
	candidates  []candidate
	folders     []string // that were looked into
	unreadable  []string // folders
	isGit       bool     // .git lies at the top
	wholeTree   bool     // all that git does not ignore is listed, as for [Source.Tree]
	skipped     []string // folders that were not looked into, if it is
	inForce     map[string]folderRules
	tracked     func() map[string]bool // by git, from the top of the walk; nil if that does not count
	selection   selection
	unread      unread
	diagnostics []catalog.Diagnostic
	exhausted   error // nothing more could be opened, whatever it was; see files.Exhausted
}

// dirEntry is a file or folder in a folder, as it was listed.
type dirEntry struct {
	name, path string // within the folder, and within the catalog with slashes
	kind       fs.FileMode
	listed     files.Identity // of a file; since it was last read, as it was then
	pathPlace  *agents.Place  // nil if it is no agent's file by its path
}

func (e *dirEntry) isDir() bool { return e.kind.IsDir() }

// candidate is a file that may be read.
type candidate struct {
	*dirEntry
	ofSkill bool // it lies in a skill's folder, and is not its SKILL.md

	// What choosing finds out.
	place    *agents.Place // nil for an entry that is no agent's file
	persona  format.Persona
	target   string // what a symbolic link leads to; "" for no link
	identity files.Identity
}

// list returns what is in a folder.
func (w *walker) list(dir string) ([]dirEntry, error) {
	if known, ok := w.known[dir]; ok && w.hasChanged != nil && !w.hasChanged(dir) {
		return known, nil
	}
	entries, err := files.List(w.root, dir)
	all := make([]dirEntry, len(entries))
	for i, e := range entries {
		l := &all[i]
		*l = dirEntry{name: e.Name(), path: path.Join(dir, e.Name()), kind: e.Type()}
		if w.known != nil { // else there is nothing to compare it with, and its reading tells it
			if info, err := e.Info(); err == nil {
				l.listed = files.IdentityOf(info, time.Now())
			}
		}
	}
	all, err = w.drafts.addTo(dir, all, err)
	for i := range all {
		l := &all[i]
		if w.wholeTree || l.isDir() {
			continue
		}
		if place, ok := agents.At(l.path); ok {
			l.pathPlace = &place
		}
	}
	return all, err
}

// maxFolders limits how deep folders are nested below the top. Opening one takes a
// step for each folder above it.
const maxFolders = 64

// folderListing is a folder to look into, and what is in it.
type folderListing struct {
	path    string  // within the catalog, with slashes
	rules   ignored // of the folders above
	ignored bool    // git ignores it, but for files that it tracks
	inSkill bool

	entries []dirEntry
	err     error // of listing them
}

// walk goes through a folder and those below it, level by level: the folders of one
// are listed on every processor. Its error is that of ctx or of reading the root
// itself; a subfolder that cannot be read is a diagnostic.
func (w *walker) walk(ctx context.Context, top folderListing) error {
	for level := []folderListing{top}; len(level) > 0; {
		err := inParallel(ctx, len(level), func(share iter.Seq[int]) {
			for i := range share {
				level[i].entries, level[i].err = w.list(level[i].path)
			}
		})
		if err != nil {
			return err
		}
		var below []folderListing
		for _, f := range level {
			if w.wholeTree && len(w.candidates) > maxTree {
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
	dir, entries, err := f.path, f.entries, f.err
	switch {
	case err != nil && dir == ".":
		return nil, err
	case errors.Is(err, fs.ErrNotExist): // it was there a moment ago
		return nil, nil
	case files.Exhausted(err):
		return nil, err
	case err != nil:
		w.unreadable = append(w.unreadable, dir)
		w.report(FileUnreadable, catalog.SeverityError, dir,
			"the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", files.Cause(err))
	}
	w.folders = append(w.folders, dir)
	if err == nil && w.listings != nil {
		w.listings[dir] = entries
	}
	rules, isSkill := f.rules, false
	for _, e := range entries {
		switch e.name {
		case ".gitignore":
			rules = w.readIgnored(rules, dir, e.path)
		case "SKILL.md":
			isSkill = dir != "."
		}
	}
	w.keepRules(dir, folderRules{rules: rules})
	for i := range entries {
		e := &entries[i]
		switch {
		case w.passesOver(dir, e):
		case (f.ignored || rules.has(e.path, e.isDir())) && !w.tracks(e.path):
			w.unread.add(anIgnored, e.path)
			w.skipped = append(w.skipped, e.path)
		case e.isDir() && strings.Count(e.path, "/") == maxFolders:
			w.report(format.FileTooLarge, catalog.SeverityError, e.path, "folders lie more than %d deep in each other, and what is in this one was not read: move it up, or begin its name with '_' to leave it out", maxFolders)
		case e.isDir():
			hidden := f.ignored || rules.has(e.path, true)
			below = append(below, folderListing{path: e.path, rules: rules, ignored: hidden, inSkill: f.inSkill || isSkill})
		default:
			w.candidates = append(w.candidates, candidate{dirEntry: e, ofSkill: f.inSkill || isSkill && e.name != "SKILL.md"})
		}
	}
	return below, nil
}

// passesOver reports whether the name says that nothing here or below is read.
func (w *walker) passesOver(dir string, e *dirEntry) bool {
	name, p := e.name, e.path
	switch {
	case w.wholeTree:
		skipped := name == ".git" || e.isDir() && (name == "node_modules" || !utf8.ValidString(name))
		if skipped {
			w.skipped = append(w.skipped, p)
		}
		return skipped
	case e.isDir() && !utf8.ValidString(name):
		w.report(FileName, catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
		return true
	case name == ".git":
		w.isGit = w.isGit || dir == "."
		return true
	case name[0] == '_' && !inAgentsFolder(dir), name == ".catalog": // our own records
		return true
	case e.isDir() && name[0] == '.' && !agents.IsFolder(name):
		w.unread.add(aDotFolder, p)
		return true
	case e.isDir() && name == "node_modules":
		w.unread.add(aDependency, p)
		return true
	}
	return false
}

// inAgentsFolder reports whether a folder is an agent's, or lies in one. Agents read what
// is there whatever its name begins with.
func inAgentsFolder(dir string) bool {
	return strings.HasPrefix(dir, ".") && dir != "." || strings.Contains(dir, "/.")
}

// tracks reports whether git tracks a file, or one in a folder: such a one is not ignored,
// whatever .gitignore says.
func (w *walker) tracks(p string) bool { return w.tracked != nil && w.tracked()[p] }

func (w *walker) report(rule string, severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...), Rule: rule,
	})
}
