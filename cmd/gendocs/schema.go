package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/rpc"
)

// schema is a JSON Schema, as far as the contract's documents say something
// that a reader wants to know.
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

// typeNames is a type, or several as TypeScript would write them.
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

// properties are schemas by name, in the order in which they are written.
type properties []property

type property struct {
	name string
	*schema
}

// UnmarshalJSON implements json.Unmarshaler. A map would lose the order.
func (p *properties) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil { // the opening brace
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		s := &schema{}
		if err := dec.Decode(s); err != nil {
			return err
		}
		*p = append(*p, property{name.(string), s})
	}
	return nil
}

// definition is the name that a $ref refers to, "" without one.
func (s *schema) definition() string { return strings.TrimPrefix(s.Ref, "#/definitions/") }

// typeName writes the type as TypeScript would. It says integer where
// TypeScript knows numbers only.
func (s *schema) typeName() string {
	switch {
	case s.Ref != "":
		return s.definition()
	case s.Const != nil:
		return literal(s.Const)
	case s.Enum != nil:
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = literal(v)
		}
		return strings.Join(values, " | ")
	case s.AnyOf != nil:
		names := make([]string, len(s.AnyOf))
		for i, branch := range s.AnyOf {
			names[i] = branch.typeName()
		}
		return strings.Join(names, " | ")
	case s.Type == "array" && s.Items == nil:
		return "array"
	case s.Type == "array":
		return arrayOf(s.Items.typeName())
	case s.Properties != nil:
		return s.objectType()
	}
	return string(s.Type)
}

func arrayOf(element string) string {
	if strings.Contains(element, " | ") {
		element = "(" + element + ")"
	}
	return element + "[]"
}

func (s *schema) objectType() string {
	members := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		members[i] = s.memberName(p) + ": " + p.typeName()
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// memberName is the name of a member, with a question mark where it may be
// absent.
func (s *schema) memberName(p property) string {
	if slices.Contains(s.Required, p.name) {
		return p.name
	}
	return p.name + "?"
}

// bounds says what the type does not: "1 to 100", "at most 512 characters".
func (s *schema) bounds() string {
	var texts []string
	for _, b := range []string{
		between(s.Minimum, s.Maximum, ""),
		between(s.MinLength, s.MaxLength, " characters"),
		between(s.MinItems, s.MaxItems, " elements"),
	} {
		if b != "" {
			texts = append(texts, b)
		}
	}
	if s.Default != nil {
		texts = append(texts, "default "+literal(s.Default))
	}
	return strings.Join(texts, ", ")
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
		panic("gendocs: a schema has a value that is no JSON: " + err.Error()) // it was read from JSON
	}
	return unescape.Replace(string(text))
}

// unescape takes back what is escaped for HTML only.
var unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// signature is a method in one line.
func signature(name string, params, result *schema) string {
	takes := ""
	if len(params.Properties) > 0 {
		takes = params.objectType()
	}
	var gives []string
	for _, v := range result.branches() {
		gives = append(gives, v.gives())
	}
	return fmt.Sprintf("%s(%s) → %s", name, takes, strings.Join(gives, " | "))
}

// gives is a form of a result, with the names of the members only.
func (s *schema) gives() string {
	switch {
	case s.Items != nil:
		return arrayOf(s.Items.gives())
	case s.Properties == nil:
		return s.typeName()
	}
	var members []string
	for _, p := range s.Properties {
		members = append(members, s.memberName(p))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// branches are the forms that a value may have: one, but for oneOf.
func (s *schema) branches() []*schema {
	if s.OneOf != nil {
		return s.OneOf
	}
	return []*schema{s}
}
