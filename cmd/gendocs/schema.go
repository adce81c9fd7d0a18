package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/schemas/jsonscan"
)

// schema is a JSON Schema, limited to the keywords that the documents show.
type schema struct {
	Ref         string     `json:"$ref"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Type        typeNames  `json:"type"`
	Enum        []any      `json:"enum"`
	Const       any        `json:"const"`
	Default     any        `json:"default"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
	Items       *schema    `json:"items"`
	OneOf       []*schema  `json:"oneOf"`
	AnyOf       []*schema  `json:"anyOf"`
	Definitions properties `json:"definitions"`

	Minimum   *int `json:"minimum"`
	Maximum   *int `json:"maximum"`
	MinLength *int `json:"minLength"`
	MaxLength *int `json:"maxLength"`
	MinItems  *int `json:"minItems"`
	MaxItems  *int `json:"maxItems"`
}

// typeNames is one type, or several joined with " | " as in TypeScript.
type typeNames string

// UnmarshalJSON implements json.Unmarshaler.
func (t *typeNames) UnmarshalJSON(data []byte) error {
	var several []string
	if json.Unmarshal(data, &several) == nil {
		*t = typeNames(strings.Join(several, " | "))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// properties are named schemas in source order.
type properties []property

type property struct {
	name string
	*schema
}

// UnmarshalJSON implements json.Unmarshaler. It keeps the order, which a map would
// lose.
func (p *properties) UnmarshalJSON(data []byte) error {
	for member, err := range jsonscan.Members(data) {
		s := &schema{}
		if err == nil {
			err = json.Unmarshal(member.Value, s)
		}
		if err != nil {
			return err
		}
		*p = append(*p, property{string(member.Name), s})
	}
	return nil
}

// definition returns the name of the definition that $ref refers to, or "".
func (s *schema) definition() string { return strings.TrimPrefix(s.Ref, "#/definitions/") }

// typeName formats the type as in TypeScript, except that it distinguishes integers
// from numbers.
func (s *schema) typeName() string {
	switch {
	case s.Ref != "":
		return s.definition()
	case s.Const != nil:
		return literal(s.Const)
	case s.Enum != nil:
		return join(s.Enum, literal, " | ")
	case s.AnyOf != nil:
		return join(s.AnyOf, (*schema).typeName, " | ")
	case s.Type == "array" && s.Items == nil:
		return "array"
	case s.Type == "array":
		return arrayOf(s.Items.typeName())
	case s.Properties != nil:
		return s.objectType()
	}
	return string(s.Type)
}

// join joins the results of text for each element.
func join[E any](elements []E, text func(E) string, separator string) string {
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = text(e)
	}
	return strings.Join(texts, separator)
}

func arrayOf(element string) string {
	if strings.Contains(element, " | ") {
		element = "(" + element + ")"
	}
	return element + "[]"
}

func (s *schema) objectType() string {
	return "{" + join(s.Properties, func(p property) string { return s.memberName(p) + ": " + p.typeName() }, ", ") + "}"
}

// memberName returns the name of a member, followed by a question mark if it is
// optional.
func (s *schema) memberName(p property) string {
	if slices.Contains(s.Required, p.name) {
		return p.name
	}
	return p.name + "?"
}

// bounds returns the constraints on a value, such as "1 to 100" or "at most 512
// characters".
func (s *schema) bounds() string {
	texts := []string{
		between(s.Minimum, s.Maximum, ""),
		between(s.MinLength, s.MaxLength, " characters"),
		between(s.MinItems, s.MaxItems, " elements"),
	}
	if s.Default != nil {
		texts = append(texts, "default "+literal(s.Default))
	}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

func between(low, high *int, what string) string {
	switch {
	case low != nil && high != nil:
		return rpc.Grouped(*low) + " to " + rpc.Grouped(*high) + what
	case high != nil:
		return "at most " + rpc.Grouped(*high) + what
	case low == nil || *low == 0:
		return ""
	case *low == 1 && what != "":
		return "not empty"
	}
	return "at least " + rpc.Grouped(*low) + what
}

func literal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("gendocs: a schema has a value that is no JSON: " + err.Error()) // cannot happen: it was read from JSON
	}
	return unescape.Replace(string(text))
}

// unescape reverts the HTML escapes of encoding/json.
var unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// signature returns a method's signature on one line.
func signature(name string, params, result *schema) string {
	takes := ""
	if len(params.Properties) > 0 {
		takes = params.objectType()
	}
	return fmt.Sprintf("%s(%s) → %s", name, takes, join(result.branches(), (*schema).gives, " | "))
}

// gives formats one form of a result as the names of its members.
func (s *schema) gives() string {
	switch {
	case s.Items != nil:
		return arrayOf(s.Items.gives())
	case s.Properties == nil:
		return s.typeName()
	}
	return "{" + join(s.Properties, s.memberName, ", ") + "}"
}

// branches returns the forms of a value: those of oneOf, or else the schema itself.
func (s *schema) branches() []*schema {
	if s.OneOf != nil {
		return s.OneOf
	}
	return []*schema{s}
}

// table describes the members of an object, one in each row.
type table []row

type row struct {
	Name     string // with its path, such as issues[].id
	Type     string // as Markdown
	Optional bool
	Meaning  string
}

// variant is one form of a result.
type variant struct {
	Title   string // "" if there is only one form
	Type    string // as Markdown; shown if the form has no members
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

// table returns the members of an object and of the unnamed objects nested in it.
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

// typeCell returns the type, linked if it is described elsewhere, and its bounds.
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
		return join(s.AnyOf, (*schema).typeLink, " or ")
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

// types collects the definitions that methods refer to.
type types struct{ seen map[string]*schema }

// typeSection describes a definition in a document.
type typeSection struct {
	Name, Description string
	Type              string // "" for an object
	Fields            table
}

// projection is the definition with the fields of an entry, of which only the id is
// required. It gets no table, because the table would repeat that of the entry.
const projection = "EntryProjection"

func newTypes() *types { return &types{seen: map[string]*schema{}} }

// read decodes a schema and records its definitions.
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

// described returns the recorded definitions and those that further names, sorted by
// name.
func (t *types) described(further []string) (out []typeSection, err error) {
	for _, name := range further {
		definition, ok := schemas.V1().Definition(name)
		if !ok {
			return nil, fmt.Errorf("the contract no longer defines %s, the data of an error", name)
		}
		if t.seen[name], err = t.read(definition); err != nil {
			return nil, err
		}
	}
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
	return out, nil
}
