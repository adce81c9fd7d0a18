package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source/agentfile"
)

// walker collects the files below a root.
type walker struct {
	root        *os.Root
	members     []member
	folders     []string // that were looked into
	unreadable  []string // folders
	isGit       bool     // .git lies at the top
	unread      unread
	diagnostics []catalog.Diagnostic
}

// member is a file that might be read.
type member struct {
	path    string // with slashes
	entry   fs.DirEntry
	kind    fs.FileMode
	ofSkill bool // it lies in a skill's folder, and is not its SKILL.md
}

// walk goes through a folder and those below it. Its error is that of ctx or of
// reading the root itself; a subfolder that cannot be read is a diagnostic.
func (w *walker) walk(ctx context.Context, dir string, rules ignored, inSkill bool) error {
	members, err := files.List(w.root, dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && dir == ".":
		return err
	case errors.Is(err, fs.ErrNotExist): // it was there a moment ago
		return nil
	case err != nil:
		w.unreadable = append(w.unreadable, dir)
		w.report(catalog.SeverityError, dir,
			"the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", files.Cause(err))
	}
	w.folders = append(w.folders, dir)
	isSkill := false
	for _, m := range members {
		switch m.Name() {
		case ".gitignore":
			if f, err := files.ReadIn(w.root, path.Join(dir, m.Name()), maxFile); err == nil {
				rules = rules.with(dir, f.Data)
			}
		case "SKILL.md":
			isSkill = dir != "."
		}
	}
	for _, m := range members {
		p := path.Join(dir, m.Name())
		switch {
		case w.passesOver(dir, m):
		case rules.has(p, m.IsDir()):
			w.unread.add(anIgnored, p)
		case m.IsDir():
			if err := w.walk(ctx, p, rules, inSkill || isSkill); err != nil {
				return err
			}
		default:
			w.members = append(w.members, member{p, m, m.Type(), inSkill || isSkill && m.Name() != "SKILL.md"})
		}
	}
	return nil
}

// passesOver reports whether the name says that nothing here or below is read.
func (w *walker) passesOver(dir string, m fs.DirEntry) bool {
	name := m.Name()
	p := path.Join(dir, name)
	switch {
	case m.IsDir() && !utf8.ValidString(name):
		w.report(catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
		return true
	case name == ".git":
		w.isGit = w.isGit || dir == "."
		return true
	case name[0] == '_':
		return true
	case m.IsDir() && name[0] == '.' && !agentfile.IsFolder(name):
		w.unread.add(aDotFolder, p)
		return true
	case m.IsDir() && name == "node_modules":
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
