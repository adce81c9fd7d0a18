package worktree

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/render"
)

// editedFields returns the new values of the fields that were edited in a file with one
// entry. It decodes the file as its agent does.
func editedFields(due *render.File, text []byte, e *catalog.Entry) (v format.Values, err error) {
	was, ok := decodeAt(due.Path, due.Content)
	now, ok2 := decodeAt(due.Path, render.WithLineEnds(text, due.Content))
	if !ok || !ok2 {
		return v, errors.New("its agent would not load it with this edit: edit the entry in the catalog")
	}
	if body := now.Body.Text(); body != was.Body.Text() {
		body = string(render.WithLineEnds([]byte(body), []byte(e.Body.Text())))
		v.Body = &body
	}
	if now.SemanticSummary != was.SemanticSummary {
		v.Description = &now.SemanticSummary
	}
	if globs := globsOf(now); !slices.Equal(globs, globsOf(was)) {
		globs = editedGlobs(globsOf(e), globsOf(was), globs)
		v.Globs = &globs
	}
	if now.Load != was.Load {
		v.Load = &now.Load
	}
	return v, nil
}

// decodeAt decodes an agent's file at its path in the repository.
func decodeAt(p string, data []byte) (*catalog.Entry, bool) {
	place, ok := agents.At(p)
	if !ok {
		return nil, false
	}
	o := format.Decode(format.File{Path: p, Data: data, Place: &place})
	return o.Entry, o.Entry != nil
}

// globsOf returns the globs of an entry, relative to the top of the repository.
func globsOf(e *catalog.Entry) []string {
	if e.Load != catalog.LoadGlob || e.Origin.Scope == nil {
		return nil
	}
	return e.Origin.Scope.Globs
}

// editedGlobs applies the change from was to now to an entry's globs. It keeps the globs
// that are not in was.
func editedGlobs(globs, was, now []string) []string {
	if slices.Equal(globs, was) {
		return now
	}
	edited := slices.DeleteFunc(slices.Clone(globs), func(g string) bool { return slices.Contains(was, g) && !slices.Contains(now, g) })
	for _, g := range now {
		if !slices.Contains(was, g) {
			edited = append(edited, g)
		}
	}
	return edited
}

// isSameLayout reports whether text differs from the file to be written only in layout:
// for a region, in blank lines and white space at the ends of lines; for a whole file,
// in how the values of its front matter are written.
func isSameLayout(due render.File, text []byte) bool {
	text = render.WithLineEnds(text, due.Content)
	if !due.Region {
		dueBody, ok := format.Body(due.Path, due.Content)
		body, ok2 := format.Body(due.Path, text)
		front := strings.TrimSuffix(string(text), body)
		return ok && ok2 && body == dueBody && !strings.Contains(front, "#") && isSameEntry(due.Path, due.Content, text)
	}
	return slices.Equal(linesWithText(due.Content), linesWithText(text))
}

// isSameEntry reports whether two versions of an agent's file decode to the same entry.
func isSameEntry(p string, a, b []byte) bool {
	was, ok := decodeAt(p, a)
	now, ok2 := decodeAt(p, b)
	return ok && ok2 && was.Hash() == now.Hash()
}

// linesWithText returns the lines of text that are not blank, without trailing white
// space.
func linesWithText(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// notGivenBack returns the error for an edit that rendering would not reproduce.
func notGivenBack(written, text []byte) error {
	has := linesWithText(written)
	for _, line := range linesWithText(text) {
		if !slices.Contains(has, line) {
			return fmt.Errorf("the entry cannot hold the line %q: edit the entry in the catalog", strings.TrimSpace(line))
		}
	}
	return errors.New("rendering the edited entry would not give this file back: edit the entry in the catalog")
}
