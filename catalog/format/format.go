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
	Path     string // slash-separated, relative to the catalog; for a bundle, its name
	Line     int    // the line in the bundle, from 1; 0 if it is not from a bundle
	Modified time.Time
	Data     []byte
	Place    *agents.Place // nil if the file is not an agent's
	Persona  Persona
}

// Persona says whether a file in a folder called agents or commands may be an agent's
// file. Only its front matter decides that.
type Persona uint8

// The values of Persona.
const (
	NoPersona    Persona = iota
	MaybePersona         // if it is not an agent's file, it is read as an entry
	PersonaOnly          // if it is not an agent's file, it is skipped
)

// Outcome is the result of decoding a file.
type Outcome struct {
	Entry       *catalog.Entry // nil if there is no entry
	Diagnostics []catalog.Diagnostic
	Skipped     bool // the file is PersonaOnly and is not an agent's
}

// IsBroken reports whether one of the diagnostics is an error.
func (o *Outcome) IsBroken() bool {
	return slices.ContainsFunc(o.Diagnostics, func(d catalog.Diagnostic) bool { return d.Severity == catalog.SeverityError })
}

// Decode turns a file into an entry. If that is impossible, the diagnostics say why.
// The entry may share memory with the data.
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

// Interpret returns the entry of a file with this path and data, or nil if the file
// would not be an entry. It treats an agent's file like any other.
func Interpret(path string, data []byte) *catalog.Entry {
	return Decode(File{Path: path, Data: data}).Entry
}

// Body returns the body of a file. ok is false if the file has no body or several, or
// cannot be parsed.
func Body(path string, data []byte) (body string, ok bool) {
	d := document{File: File{Path: path, Data: data}}
	if d.parse() != nil {
		return "", false
	}
	return d.body()
}

// MayBeEntry reports whether a file with this path can be an entry. It does not read
// the file.
func MayBeEntry(path string) bool { return formOf(path) != noForm }

// form is the format of an instruction file.
type form uint8

const (
	noForm form = iota // not an instruction file
	jsonForm
	markdownForm
	tomlForm
)

// formOf returns the format of the file at p: by its extension, or otherwise by the
// kind of agent's file.
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
