package schemas

import (
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// Outline is what a schema says about the build of a value: which members an
// object may have, and of which type each is. What else a value must be is not
// part of it.
type Outline struct {
	Type       string // such as "object"; "" where the schema does not say; several as they are written
	Fixed      bool   // the values are listed, with enum or const
	Properties []Property
	Items      *Outline // of an array; nil where the elements may be anything
	Additional *Outline // of members that are no properties; nil where nothing is said of them

	branches []*Outline // of oneOf, anyOf and allOf
	target   *Outline   // of a $ref, which stands for it
}

// Property is a member that a schema names.
type Property struct {
	Name    string
	Outline *Outline
}

// Property returns the outline of a property, nil where there is none.
func (o *Outline) Property(name string) *Outline {
	for i := range o.Properties {
		if o.Properties[i].Name == name {
			return o.Properties[i].Outline
		}
	}
	return nil
}

// AppendForms appends to forms what a value may, or must, look like: o and the
// branches of its oneOf, anyOf and allOf, or what it refers to.
func (o *Outline) AppendForms(forms []*Outline) []*Outline {
	if o.target != nil {
		return o.target.AppendForms(forms)
	}
	forms = append(forms, o)
	for _, branch := range o.branches {
		forms = branch.AppendForms(forms)
	}
	return forms
}

// callOutline is the outline of a method. Those of the contract of this program
// are in outlines.go.
type callOutline struct {
	method         string
	params, result *Outline
}

// outliner reads outlines from the text of schemas.
type outliner struct {
	known map[*fragment]*Outline // also those that are being read: a definition may refer to itself
}

func newOutliner() *outliner { return &outliner{known: map[*fragment]*Outline{}} }

func (f *fragment) outline() *Outline { return newOutliner().fragment(f) }

func (r *outliner) fragment(f *fragment) *Outline {
	o, ok := r.known[f]
	if !ok {
		o = &Outline{}
		r.known[f] = o
		r.read(o, f.document, jsonscan.New(f.raw))
	}
	return o
}

// schema reads the schema that comes next.
func (r *outliner) schema(d *document, s *jsonscan.Scanner) *Outline {
	o := &Outline{}
	r.read(o, d, s)
	return o
}

func (r *outliner) read(o *Outline, d *document, s *jsonscan.Scanner) {
	for name := range s.Members() {
		switch string(name) {
		case "$ref":
			o.target = r.fragment(d.set.definition(d.ref(string(s.Text()))))
		case "type":
			o.Type = strings.Trim(string(s.Raw()), `"`)
		case "enum", "const":
			o.Fixed = true
			s.Skip()
		case "properties":
			for name := range s.Members() {
				o.Properties = append(o.Properties, Property{string(name), r.schema(d, s)})
			}
		case "items":
			o.Items = r.object(d, s)
		case "additionalProperties":
			o.Additional = r.object(d, s)
		case "oneOf", "anyOf", "allOf":
			for range s.Elements() {
				o.branches = append(o.branches, r.schema(d, s))
			}
		default:
			s.Skip()
		}
	}
}

// object is schema where there may be something else, such as false.
func (r *outliner) object(d *document, s *jsonscan.Scanner) *Outline {
	if s.Next() != '{' {
		s.Skip()
		return nil
	}
	return r.schema(d, s)
}
