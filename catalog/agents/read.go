package agents

import (
	"fmt"
	"path"

	"strings"

	"instruction-catalog/catalog/glob"
)

// Value is the value of a field of front matter, as its agent reads it.
type Value struct {
	Text   string   // the value, unless it is a list
	Items  []string // the elements of a list
	IsList bool
	IsTrue bool // it is the boolean true, not a text
	Quoted bool // the text is in quotes
}

func (v Value) says() bool { return len(v.Items) > 0 || strings.TrimSpace(v.Text) != "" }

// FrontMatter holds the fields of a file's front matter. A field without a value is
// omitted.
type FrontMatter struct {
	Fields map[string]Value
	// Broken reports whether the front matter is not valid YAML and was read line by
	// line.
	Broken bool
}

// Warning is a message for the author of a file.
type Warning struct {
	Rule    string // the rule that found it; "" if the rule has no name
	Field   string // of the front matter; "" for the whole file
	Message string
	Note    bool // it is a hint: nothing is wrong
}

// Reading is the result of [Place.Read]: when a file is loaded, and warnings.
type Reading struct {
	Load      Load
	Globs     []string // as its agent splits them
	Source    string   // the field that contains the globs
	Reason    string   // why it is never loaded
	Off       bool     // its author does not want it loaded
	Misplaced bool     // its agent would load it from another folder
	Warnings  []Warning
}

// Read determines when the agent loads a file at this place with the given front matter
// and body.
func (p Place) Read(f FrontMatter, body string) Reading {
	r := reader{Place: p, front: f}
	switch {
	case p.never != "":
		r.never("%s", p.never)
		r.Misplaced = !p.aside
		r.Off = p.aside || strings.EqualFold(path.Base(p.path), "README.md") // a README.md is for people
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

// command sets the load of a file that a person runs by its name.
func (r *reader) command() { r.Load = Command }

// always sets the load of a file that does not say when it is loaded: Directory if it
// applies in a folder below the top, else Always.
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

// globs reads the globs in a field and sets the load. It returns false if there are
// none.
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
			r.warn(GlobInvalid, field, `%q matches nothing: close its brackets and braces, or write \[ for a bracket, and use at most %d alternatives`, g, glob.MaxAlternatives)
		case strings.Contains(g, " #"):
			r.warn(GlobInvalid, field, "%q: the comment is part of the glob: put it on a line of its own", g)
		case strings.Contains(g, `\*`):
			r.warn(GlobInvalid, field, `%q: \* matches only the character *: write / between folders`, g)
		}
	}
	return true
}

// warnOfForeignGlobs warns of globs in fields that the agent does not read. Call it
// after the load has been set.
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
