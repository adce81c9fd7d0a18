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
	known       map[string][]dirEntry // listings of the previous walk, by folder
	hasChanged  func(dir string) bool // reports whether a folder has changed since the previous walk; nil if all may have
	listings    map[string][]dirEntry // listings of this walk; nil to keep none
	candidates  []candidate
	folders     []string // the folders that were listed
	unreadable  []string // folders that cannot be listed
	isGit       bool     // .git is at the top
	repository  bool     // the folder is a repository, see isRepository; set by choose
	wholeTree   bool     // list all files that git does not ignore, for [Source.Tree]
	skipped     []string // paths that were not examined; complete only with wholeTree
	inForce     map[string]folderRules
	tracked     func() map[string]bool // paths that git tracks, relative to the top; nil to treat none as tracked
	selection   selection
	unread      unread
	diagnostics []catalog.Diagnostic
	exhausted   error // set if no more files can be opened; see files.Exhausted
}

// dirEntry is a file or folder as listed in its folder.
type dirEntry struct {
	name, path string // base name; path relative to the root, with slashes
	kind       fs.FileMode
	listed     files.Identity // identity of a file when listed or, once it has been read, when last read
	pathPlace  *agents.Place  // nil if the path is not that of an agent's file
}

func (e *dirEntry) isDir() bool { return e.kind.IsDir() }

// candidate is a file that may be read.
type candidate struct {
	*dirEntry
	ofSkill bool // the file is in a skill's folder and is not the SKILL.md

	// Set when the file is chosen.
	place    *agents.Place // nil if the file is not an agent's file
	persona  format.Persona
	target   string // target of a symbolic link; "" if the file is not one
	identity files.Identity
}

// list returns the content of a folder. It reuses the previous listing if the folder has
// not changed.
func (w *walker) list(dir string) ([]dirEntry, error) {
	if known, ok := w.known[dir]; ok && w.hasChanged != nil && !w.hasChanged(dir) {
		return known, nil
	}
	entries, err := files.List(w.root, dir)
	all := make([]dirEntry, len(entries))
	for i, e := range entries {
		l := &all[i]
		*l = dirEntry{name: e.Name(), path: path.Join(dir, e.Name()), kind: e.Type()}
		if w.known != nil { // otherwise there is no previous result to compare with, and reading sets the identity
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

// maxFolders is the maximum depth of folders below the top. Opening a folder costs one
// step for each folder above it.
const maxFolders = 64

// folderListing is a folder to examine and its content.
type folderListing struct {
	path    string  // relative to the root, with slashes
	rules   ignored // rules of the folders above
	ignored bool    // git ignores the folder, except for tracked files in it
	inSkill bool

	entries []dirEntry
	err     error // error of listing the folder
}

// walk examines a folder and the folders below it, level by level. It lists the folders
// of one level on all processors. The error is that of ctx or of listing the root,
// errTreeTooLarge, or one for which [files.Exhausted] is true. Any other subfolder that
// cannot be read becomes a diagnostic.
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

// lookInto records the files of a listed folder as candidates, and returns the
// subfolders to examine.
func (w *walker) lookInto(f folderListing) (below []folderListing, err error) {
	dir, entries, err := f.path, f.entries, f.err
	switch {
	case err != nil && dir == ".":
		return nil, err
	case errors.Is(err, fs.ErrNotExist): // removed since it was found
		return nil, nil
	case files.Exhausted(err):
		return nil, err
	case err != nil:
		w.unreadable = append(w.unreadable, dir)
		w.report(FileUnreadable, catalog.SeverityError, dir,
			"the folder cannot be read (%s): fix its permissions, or begin its name with '_' to leave it out", files.Cause(err))
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
			w.report(format.FileTooLarge, catalog.SeverityError, e.path, "folders are nested more than %d deep, and this one was not read: move it up, or begin its name with '_' to leave it out", maxFolders)
		case e.isDir():
			hidden := f.ignored || rules.has(e.path, true)
			below = append(below, folderListing{path: e.path, rules: rules, ignored: hidden, inSkill: f.inSkill || isSkill})
		default:
			w.candidates = append(w.candidates, candidate{dirEntry: e, ofSkill: f.inSkill || isSkill && e.name != "SKILL.md"})
		}
	}
	return below, nil
}

// passesOver reports whether an entry is skipped because of its name, with everything
// below it. It usually records what it skips.
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
	case name[0] == '_' && !inAgentsFolder(dir), name == ".catalog": // .catalog holds our own records
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

// inAgentsFolder reports whether the name of a folder, or of a folder above it, begins
// with a dot. Agents read files there even if their names begin with '_'.
func inAgentsFolder(dir string) bool {
	return strings.HasPrefix(dir, ".") && dir != "." || strings.Contains(dir, "/.")
}

// tracks reports whether git tracks a file, or any file below a folder. A tracked path
// is not ignored, even if .gitignore matches it.
func (w *walker) tracks(p string) bool { return w.tracked != nil && w.tracked()[p] }

func (w *walker) report(rule string, severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...), Rule: rule,
	})
}
