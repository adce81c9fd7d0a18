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
)

// walker collects the paths of the instruction files below a root, in the
// order of the walk, which is the same each time.
type walker struct {
	ctx         context.Context
	root        *os.Root
	paths       []string
	diagnostics []catalog.Diagnostic
}

// walk finds the instruction files. Its error is that of ctx or of reading
// the root itself; a subfolder that cannot be read is a diagnostic.
func walk(ctx context.Context, root *os.Root) ([]string, []catalog.Diagnostic, error) {
	w := &walker{ctx: ctx, root: root}
	err := fs.WalkDir(root.FS(), ".", w.visit)
	return w.paths, w.diagnostics, err
}

func (w *walker) visit(p string, d fs.DirEntry, err error) error {
	if ended := w.ctx.Err(); ended != nil {
		return ended
	}
	switch {
	case p == ".":
		return err
	case skipped(d):
		if d.IsDir() {
			return fs.SkipDir
		}
	case !utf8.ValidString(p):
		w.report(catalog.SeverityError, strings.ToValidUTF8(p, "\uFFFD"), "the name is not valid UTF-8: rename it")
		if d.IsDir() {
			return fs.SkipDir
		}
	case err != nil:
		w.report(catalog.SeverityError, p, "the folder cannot be read (%s): mend its permissions, or begin its name with '_' to leave it out", cause(err))
	case d.IsDir():
	case d.Type()&fs.ModeSymlink != 0:
		w.link(p)
	case formOf(p) == noForm:
	case !d.Type().IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		w.paths = append(w.paths, p)
	}
	return nil
}

// link looks at where a symbolic link leads. The root does not follow one
// that leads out of it.
func (w *walker) link(p string) {
	info, err := w.root.Stat(p)
	target, _ := w.root.Readlink(p) // only to be shown
	switch {
	case err != nil:
		w.report(catalog.SeverityError, p,
			"the symbolic link to %s cannot be followed within the catalog (%s): put the file here itself, or link to one of this folder by a relative path", shorten(target), cause(err))
	case info.IsDir():
		w.report(catalog.SeverityNote, p,
			"the symbolic link to the folder %s is not followed: its files are served from their own place", shorten(target))
	case formOf(p) == noForm:
	case !info.Mode().IsRegular():
		w.report(catalog.SeverityError, p, "%s", errNotRegular)
	default:
		w.paths = append(w.paths, p)
	}
}

func (w *walker) report(severity catalog.Severity, p, format string, args ...any) {
	w.diagnostics = append(w.diagnostics, catalog.Diagnostic{
		Path: p, Severity: severity, Message: fmt.Sprintf(format, args...),
	})
}

// skipped reports whether the name says that this is no instruction and
// nothing of the kind lies below.
func skipped(d fs.DirEntry) bool {
	name := d.Name()
	if name[0] == '_' || name[0] == '.' {
		return true
	}
	return !d.IsDir() && (name == "gates.json" || strings.HasSuffix(strings.ToLower(name), ".schema.json"))
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
