package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"instruction-catalog/schemas"
)

// table describes the members of an object, one a row.
type table []row

type row struct {
	Name     string // with the way to it, such as issues[].id
	Type     string // in Markdown
	Optional bool
	Meaning  string
}

// variant is one form of a result.
type variant struct {
	Title   string // "" where there is only one
	Type    string // in Markdown, where it has no members to show
	Members table
}

func (s *schema) variants() []variant {
	var out []variant
	for _, branch := range s.branches() {
		v := variant{Type: branch.typeLink(), Members: branch.table()}
		if s.OneOf != nil {
			v.Title = branch.Title
		}
		out = append(out, v)
	}
	return out
}

// table returns the members of an object and of those objects within it that
// have no name of their own.
func (s *schema) table() table {
	if s.Items != nil {
		return s.Items.appendRows(nil, "[].")
	}
	return s.appendRows(nil, "")
}

func (s *schema) appendRows(t table, path string) table {
	for _, p := range s.Properties {
		t = append(t, row{
			Name:     path + p.name,
			Type:     p.typeCell(),
			Optional: !slices.Contains(s.Required, p.name),
			Meaning:  p.Description,
		})
		inner, step := p.schema, "."
		if p.Items != nil {
			inner, step = p.Items, "[]."
		}
		t = inner.appendRows(t, path+p.name+step)
	}
	return t
}

// typeCell is the type with a link where it is described elsewhere, and its
// bounds.
func (s *schema) typeCell() string {
	text := s.typeLink()
	if bounds := s.bounds(); bounds != "" {
		text += ", " + bounds
	}
	return text
}

func (s *schema) typeLink() string {
	switch {
	case s.Ref != "":
		return link(s.definition())
	case s.AnyOf != nil:
		text := ""
		for i, branch := range s.AnyOf {
			if i > 0 {
				text += " or "
			}
			text += branch.typeLink()
		}
		return text
	case s.Items != nil && s.Items.Properties != nil:
		return "array of objects"
	case s.Items != nil:
		return "array of " + s.Items.typeLink()
	case s.Properties != nil:
		return "object"
	}
	return "`" + s.typeName() + "`"
}

func link(name string) string { return fmt.Sprintf("[`%s`](#%s)", name, anchor(name)) }

// types collects the definitions that the methods refer to.
type types struct{ seen map[string]*schema }

// typeSection is what the document says about a definition.
type typeSection struct {
	Name, Description string
	Type              string // "" of an object
	Fields            table
}

// errorData are the definitions that no method refers to: the data of errors.
var errorData = []string{"InvalidParams", "PromptTooLong", "Failure"}

// projection has the fields of an entry, none of which it must have but the
// id: a second table of them would say nothing new.
const projection = "EntryProjection"

func newTypes() *types { return &types{seen: map[string]*schema{}} }

// read decodes a schema and remembers the definitions in it.
func (t *types) read(from *schemas.Schema) (*schema, error) {
	var s schema
	if err := json.Unmarshal(from.Bundled(), &s); err != nil {
		return nil, err
	}
	for _, d := range s.Definitions {
		t.seen[d.name] = d.schema
	}
	return &s, nil
}

// sections returns the definitions by name, those of the data of errors
// included.
func (t *types) sections() ([]typeSection, error) {
	for _, name := range errorData {
		definition, ok := schemas.V1().Definition(name)
		if !ok {
			return nil, fmt.Errorf("the contract no longer defines %s, the data of an error", name)
		}
		s, err := t.read(definition)
		if err != nil {
			return nil, err
		}
		t.seen[name] = s
	}
	return t.described(), nil
}

// described returns the definitions that were read, by name.
func (t *types) described() (out []typeSection) {
	for _, name := range slices.Sorted(maps.Keys(t.seen)) {
		s := t.seen[name]
		section := typeSection{Name: name, Description: s.Description}
		switch {
		case s.Properties == nil:
			section.Type = s.typeCell()
		case name != projection:
			section.Fields = s.table()
		}
		out = append(out, section)
	}
	return out
}
