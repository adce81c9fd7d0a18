package format

import (
	"path"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

// File is an instruction file, or a line of a bundle.
type File struct {
	Path     string // within the catalog, with slashes; of a bundle its name
	Line     int    // in the bundle, from 1; 0 for a file of its own
	Modified time.Time
	Data     []byte
	Place    *agents.Place // nil if it is not an agent's file
	Persona  Persona
}

// Persona says whether a file in a folder agents or commands may be an agent's, which
// only its front matter tells.
type Persona uint8

// The values of Persona.
const (
	NoPersona    Persona = iota
	MaybePersona         // else it is an entry
	PersonaOnly          // else it is not read
)

// Outcome is what a file becomes.
type Outcome struct {
	Entry       *catalog.Entry // nil if there is no entry
	Diagnostics []catalog.Diagnostic
	Skipped     bool // it was to be read as a persona only, and is not one
}

// IsBroken reports whether a diagnostic is an error.
func (o *Outcome) IsBroken() bool {
	return slices.ContainsFunc(o.Diagnostics, func(d catalog.Diagnostic) bool { return d.Severity == catalog.SeverityError })
}

// Decode makes an entry of a file, or says why it cannot. The entry may share the
// memory of the data.
func Decode(f File) Outcome {
	d := document{File: f}
	if problem := d.parse(); problem != nil {
		return Outcome{Diagnostics: []catalog.Diagnostic{*problem}}
	}
	if d.Persona != NoPersona {
		place, ok := agents.Plugin(d.Path, d.frontMatter())
		switch {
		case ok:
			d.Place = &place
		case d.Persona == PersonaOnly:
			return Outcome{Skipped: true}
		}
	}
	if d.Place == nil && d.form == markdownForm {
		d.adoptNames()
	}
	entry, diagnostics := normalise(&d)
	return Outcome{Entry: entry, Diagnostics: diagnostics}
}

// Interpret returns the entry that a file of that path would be if it held these data;
// nil if it would not be one. An agent's file is treated like any other.
func Interpret(path string, data []byte) *catalog.Entry {
	return Decode(File{Path: path, Data: data}).Entry
}

// Body returns the one body of a file. It is not ok if the file has none or several, or
// cannot be parsed.
func Body(path string, data []byte) (body string, ok bool) {
	d := document{File: File{Path: path, Data: data}}
	if d.parse() != nil {
		return "", false
	}
	return d.body()
}

// MayBeEntry reports whether a file of that path can be an entry, by its name.
func MayBeEntry(path string) bool { return formOf(path) != noForm }

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
	place, ok := agents.At(p)
	switch {
	case !ok:
		return noForm
	case place.Kind == agents.GeminiCommand:
		return tomlForm
	}
	return markdownForm
}
