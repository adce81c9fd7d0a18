package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// walker finds the instruction files below a root.
type walker struct {
	root        *os.Root
	found       []string // the paths of the instruction files, with slashes
	diagnostics []catalog.Diagnostic
}

// walk goes through a folder and those below it. Its error is that of ctx or of
// reading the root itself; a subfolder that cannot be read is a diagnostic.
func (w *walker) walk(ctx context.Context, dir string) error {
	members, err := files.List(w.root, dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && dir == ".":
		return err
	case err != nil:
		w.report(catalog.SeverityError, dir,
			"the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", files.Cause(err))
	}
	for _, m := range members {
		switch p := path.Join(dir, m.Name()); w.classify(p, m) {
		case instruction:
			w.found = append(w.found, p)
		case folder:
			if err := w.walk(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// class is what a member of a folder is to the walker.
type class uint8

const (
	other class = iota
	instruction
	folder
)

// classify says what a member is, and reports it if something is wrong with it.
func (w *walker) classify(p string, m fs.DirEntry) class {
	switch {
	case skipped(m):
	case !utf8.ValidString(m.Name()):
		w.report(catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
	case m.IsDir():
		return folder
	case m.Type()&fs.ModeSymlink != 0:
		return w.classifyLink(p)
	case formOf(p) == noForm:
	case !m.Type().IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		return instruction
	}
	return other
}

// classifyLink says what a symbolic link leads to. The root does not follow one
// that leads out of it.
func (w *walker) classifyLink(p string) class {
	info, err := w.root.Stat(p)
	target, _ := w.root.Readlink(p) // only to be shown
	switch {
	case err != nil:
		w.report(catalog.SeverityError, p,
			"the symbolic link to %s cannot be followed within the catalog (%s): put the file here, or link to a file of the catalog by a relative path", shorten(target), files.Cause(err))
	case info.IsDir():
		w.report(catalog.SeverityNote, p,
			"the symbolic link to the folder %s is not followed: its files are served from their own place", shorten(target))
	case formOf(p) == noForm:
	case !info.Mode().IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		return instruction
	}
	return other
}

func (w *walker) report(severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...),
	})
}

// skipped reports whether the name says that this is no instruction and that
// none lies below.
func skipped(m fs.DirEntry) bool {
	name := m.Name()
	if name[0] == '_' || name[0] == '.' {
		return true
	}
	return !m.IsDir() && (name == "gates.json" || strings.HasSuffix(strings.ToLower(name), ".schema.json"))
}

// form is how an instruction file is written.
type form uint8

const (
	noForm form = iota // not an instruction file
	jsonForm
	markdownForm
)

func formOf(p string) form {
	switch strings.ToLower(path.Ext(p)) {
	case ".json":
		return jsonForm
	case ".md":
		return markdownForm
	}
	return noForm
}
