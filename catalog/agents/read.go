package agents

import (
	"fmt"
	"path"

	"strings"

	"instruction-catalog/catalog/glob"
)

// Value is what a field of front matter says, as its agent sees it.
type Value struct {
	Text   string   // of anything but a list
	Items  []string // of a list
	IsList bool
	IsTrue bool // the boolean true, not the text
	Quoted bool // the text stands in quotes
}

func (v Value) says() bool { return len(v.Items) > 0 || strings.TrimSpace(v.Text) != "" }

// FrontMatter is the front matter of a file, by field. A field without a value
// is not in it.
type FrontMatter struct {
	Fields map[string]Value
	// Broken means that it is no YAML, and was read line by line.
	Broken bool
}

// Warning is something that the author of a file should know.
type Warning struct {
	Rule    string // that found it, "" if it has no name
	Field   string // of the front matter, "" for the file as a whole
	Message string
	Note    bool // nothing is wrong
}

// Reading says when a file is loaded.
type Reading struct {
	Load      Load
	Globs     []string // as its agent takes them apart
	Source    string   // the field of the globs
	Reason    string   // why it is never loaded
	Off       bool     // its author does not want it loaded
	Misplaced bool     // its agent would load it elsewhere
	Warnings  []Warning
}

// Read tells when the agent loads a file of this place with that front matter
// and body.
func (p Place) Read(f FrontMatter, body string) Reading {
	r := reader{Place: p, front: f}
	switch {
	case p.never != "":
		r.never("%s", p.never)
		r.Misplaced = !p.aside
		r.Off = p.aside || strings.EqualFold(path.Base(p.path), "README.md") // for people
	default:
		r.read()
	}
	if p.home != "" {
		r.note(FileMisplaced, "", "no agent looks here without a setting: move it to %s", p.home)
	}
	if size := forms[p.Kind].size; size != nil {
		size(&r, body)
	}
	return r.Reading
}

// reader reads the front matter of one file.
type reader struct {
	Place
	Reading
	front FrontMatter
}

func (r *reader) read() {
	if read := forms[r.Kind].read; read != nil {
		read(r)
		return
	}
	r.always()
}

// command is the load of a file that a person calls by its name.
func (r *reader) command() { r.Load = Command }

// always is the load of a file that says nothing of when: below the top it
// counts in its folder.
func (r *reader) always() {
	r.Load = Always
	if r.below && r.Folder != "." {
		r.Load = Directory
	}
}

func (r *reader) never(format string, args ...any) {
	r.Load, r.Reason = Never, fmt.Sprintf(format, args...)
}

func (r *reader) warn(rule, field, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) note(rule, field, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Rule: rule, Field: field, Message: fmt.Sprintf(format, args...), Note: true})
}

// globs reads a field of globs. It reports whether there are any.
func (r *reader) globs(field string) bool {
	v := r.front.Fields[field]
	r.Globs = v.Items
	if !v.IsList {
		r.Globs = glob.Split(v.Text)
	}
	if len(r.Globs) == 0 {
		return false
	}
	r.Load, r.Source = Glob, field
	for _, g := range r.Globs {
		switch {
		case !glob.Valid(g):
			r.warn(GlobInvalid, field, `%q matches nothing: close its brackets and braces, or write \[ for a bracket, and at most %d alternatives`, g, glob.MaxAlternatives)
		case strings.Contains(g, " #"):
			r.warn(GlobInvalid, field, "%q: the comment is a part of the glob: give it a line of its own", g)
		case strings.Contains(g, `\*`):
			r.warn(GlobInvalid, field, `%q: \* stands for the character * alone: write / between folders`, g)
		}
	}
	return true
}

// warnOfForeignGlobs names globs that the agent does not look at, once it is known
// when the file is loaded without them.
func (r *reader) warnOfForeignGlobs(instead, agent string) {
	so := ""
	if r.Load == Always || r.Load == Directory {
		so = " and always loads the rule"
	}
	for _, field := range []string{"globs", "applyTo", "paths", "fileMatchPattern"} {
		if field != instead && r.front.Fields[field].says() {
			r.warn(LoadField, field, "%s does not read it%s: write %s", agent, so, instead)
		}
	}
}
