package schemas

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/schemas/jsonscan"
)

// maxFitting is how deep a value may be nested that [Schema.Fits] knows.
const maxFitting = 16

// Fits reports whether data is, for certain, one JSON value that fits the
// schema: [Schema.Validate] finds nothing in it then. The value is nested at
// most 16 deep, and none of its objects has a member twice.
//
// It takes one walk over the bytes, where Validate decodes them and asks a
// library: thousands of entries that a client knows take a fraction of a
// millisecond. False says no more than "not certain". It is the answer for
// whatever is unusual, such as a number with a point, and for every value where
// the schema has a keyword that a [matcher] does not know.
func (s *Schema) Fits(data []byte) bool {
	m := s.matcher()
	if m == nil {
		return false
	}
	d := jsonscan.NewDecoder(data)
	if !m.matches(d) {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}

// matcher is as much of a draft-07 schema as the long params of methods need.
type matcher struct {
	form       string     // the type
	properties []property // of an object, at most 64, which may have no others
	required   uint64     // which of them an object must have, as bits
	items      *matcher   // of an array
	count      span       // of the elements of an array
	length     span       // of a string, in characters
	size       span       // of an integer
	enum       []string   // that a string may be; nil for any
}

type property struct {
	name  string
	value *matcher
}

// span is the integers between two, both included.
type span struct{ least, most int64 }

func (s span) has(n int) bool { return s.least <= int64(n) && int64(n) <= s.most }

// matches reports whether the value that comes next fits for certain.
func (m *matcher) matches(d *jsontext.Decoder) bool {
	switch m.form {
	case "object":
		return m.matchesObject(d)
	case "array":
		return m.matchesArray(d)
	}
	raw, err := d.ReadValue()
	switch {
	case err != nil:
		return false
	case m.form == "string":
		return raw[0] == '"' && m.matchesString(raw[1:len(raw)-1])
	case m.form == "integer":
		return m.matchesInteger(raw)
	}
	return raw[0] == 't' || raw[0] == 'f'
}

func (m *matcher) matchesObject(d *jsontext.Decoder) bool {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	var seen uint64
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			return false
		}
		p := m.property(name[1 : len(name)-1])
		if p < 0 || seen&(1<<p) != 0 || !m.properties[p].value.matches(d) {
			return false
		}
		seen |= 1 << p
	}
	_, err := d.ReadToken()
	return err == nil && seen&m.required == m.required
}

// property returns the index of a property, -1 if it is missing. The name is as it
// is written: one with an escape is not found.
func (m *matcher) property(name []byte) int {
	for i := range m.properties {
		if m.properties[i].name == string(name) {
			return i
		}
	}
	return -1
}

func (m *matcher) matchesArray(d *jsontext.Decoder) bool {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '[' {
		return false
	}
	n := 0
	for ; d.PeekKind() != ']'; n++ {
		if !m.items.matches(d) {
			return false
		}
	}
	_, err := d.ReadToken()
	return err == nil && m.count.has(n)
}

// matchesString takes a string without its quotes. One with an escape is not decoded:
// it has a character at least, and as many as bytes at most.
func (m *matcher) matchesString(inside []byte) bool {
	if bytes.IndexByte(inside, '\\') >= 0 {
		return m.enum == nil && m.length.has(1) && m.length.has(len(inside))
	}
	return m.length.has(utf8.RuneCount(inside)) && (m.enum == nil || slices.Contains(m.enum, string(inside)))
}

// matchesInteger takes what is written as an integer that an int64 holds.
func (m *matcher) matchesInteger(raw []byte) bool {
	n, err := strconv.Atoi(string(raw))
	return err == nil && m.size.has(n)
}

// newMatcher returns the matcher of a schema, nil where no matcher can be all
// that the schema is.
func newMatcher(tree map[string]any) *matcher {
	definitions, _ := tree["definitions"].(map[string]any)
	return newMatcherOf(tree, definitions, maxFitting)
}

func newMatcherOf(schema any, definitions map[string]any, levels int) *matcher {
	node, ok := schema.(map[string]any)
	if !ok || levels == 0 {
		return nil
	}
	if ref, ok := node["$ref"].(string); ok {
		if len(node) > 1 && (len(node) > 2 || node["description"] == nil) {
			return nil // draft-07 ignores what stands beside a reference
		}
		return newMatcherOf(definitions[ref[len(pointer):]], definitions, levels-1)
	}
	all := span{math.MinInt64, math.MaxInt64}
	m := &matcher{count: all, length: all, size: all}
	for keyword, value := range node {
		if !m.take(keyword, value, definitions, levels) {
			return nil
		}
	}
	names, _ := texts(node["required"])
	for _, name := range names {
		p := m.property([]byte(name))
		if p < 0 {
			return nil
		}
		m.required |= 1 << p
	}
	if !m.complete(node) {
		return nil
	}
	return m
}

// take takes a keyword, and reports whether it is one that a matcher knows.
func (m *matcher) take(keyword string, value any, definitions map[string]any, levels int) (ok bool) {
	switch keyword {
	case "title", "description", "default", "$comment", "$schema", "definitions":
		return true
	case "type":
		m.form, ok = value.(string)
		return ok && slices.Contains([]string{"object", "array", "string", "integer", "boolean"}, m.form)
	case "properties":
		for name, schema := range value.(map[string]any) {
			m.properties = append(m.properties, property{name, newMatcherOf(schema, definitions, levels-1)})
		}
		return !slices.ContainsFunc(m.properties, func(p property) bool { return p.value == nil }) && len(m.properties) <= 64
	case "required":
		return true
	case "enum":
		m.enum, ok = texts(value)
	case "additionalProperties":
		ok = value == false
	case "items":
		m.items = newMatcherOf(value, definitions, levels-1)
		ok = m.items != nil
	default:
		ok = m.bound(keyword, value)
	}
	return ok
}

// bound takes a keyword that has a bound, which must be an integer.
func (m *matcher) bound(keyword string, value any) bool {
	limits := map[string]*int64{
		"minimum": &m.size.least, "maximum": &m.size.most, "minLength": &m.length.least, "maxLength": &m.length.most,
		"minItems": &m.count.least, "maxItems": &m.count.most,
	}
	limit, n := limits[keyword], 0.0
	n, ok := value.(float64)
	if limit == nil || !ok || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return false
	}
	*limit = int64(n)
	return true
}

// complete reports whether a matcher says all that its schema does.
func (m *matcher) complete(node map[string]any) bool {
	switch {
	case m.form == "" || m.form != "string" && m.enum != nil:
		return false
	case m.form == "object":
		return node["additionalProperties"] == false
	}
	return m.form != "array" || m.items != nil
}

// texts returns an array of nothing but strings.
func texts(value any) ([]string, bool) {
	var all []string
	elements, ok := value.([]any)
	for _, e := range elements {
		text, isText := e.(string)
		all, ok = append(all, text), ok && isText
	}
	return all, ok
}
