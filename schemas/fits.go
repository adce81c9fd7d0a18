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

// maxFitting is the maximum nesting depth that [Schema.Fits] can check.
const maxFitting = 16

// Fits reports whether data is certainly one JSON value that fits the schema, so that
// [Schema.Validate] would find no issue. It reports true only for values nested at most
// 16 deep and without duplicate member names.
//
// Fits scans the bytes once, whereas Validate decodes them and calls a library. For the
// thousands of entries that a client may send, Fits takes a fraction of a millisecond.
// False means "not certain". Fits returns false for unusual values, such as numbers with
// a decimal point, and for every value if the schema uses a keyword that [matcher] does
// not support.
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

// matcher supports the subset of draft-07 that the long params of methods need.
type matcher struct {
	form       string     // value of the type keyword
	properties []property // of an object, at most 64; other members are not allowed
	required   uint64     // bit set of the required properties
	items      *matcher   // matcher for the elements of an array
	count      span       // allowed number of array elements
	length     span       // allowed length of a string, in characters
	size       span       // allowed values of an integer
	enum       []string   // allowed strings; nil for any
}

type property struct {
	name  string
	value *matcher
}

// span is a range of integers, inclusive at both ends.
type span struct{ least, most int64 }

func (s span) has(n int) bool { return s.least <= int64(n) && int64(n) <= s.most }

// matches reports whether the next value certainly fits.
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

// property returns the index of a property, or -1 if there is none. name is the
// undecoded text, so a name written with an escape is not found.
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

// matchesString matches a string without its quotes. It does not decode a string with
// escapes, whose length is then only known to be at least one character and at most its
// number of bytes.
func (m *matcher) matchesString(inside []byte) bool {
	if bytes.IndexByte(inside, '\\') >= 0 {
		return m.enum == nil && m.length.has(1) && m.length.has(len(inside))
	}
	return m.length.has(utf8.RuneCount(inside)) && (m.enum == nil || slices.Contains(m.enum, string(inside)))
}

// matchesInteger matches an integer in the range of int, written without fraction or
// exponent.
func (m *matcher) matchesInteger(raw []byte) bool {
	n, err := strconv.Atoi(string(raw))
	return err == nil && m.size.has(n)
}

// newMatcher returns the matcher for a schema, or nil if a matcher cannot express the
// whole schema.
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
			return nil // draft-07 ignores the siblings of $ref
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

// take applies a keyword to m, and reports whether a matcher supports it.
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

// bound applies a keyword that sets a limit. The limit must be an integer.
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

// complete reports whether the matcher expresses everything in its schema.
func (m *matcher) complete(node map[string]any) bool {
	switch {
	case m.form == "" || m.form != "string" && m.enum != nil:
		return false
	case m.form == "object":
		return node["additionalProperties"] == false
	}
	return m.form != "array" || m.items != nil
}

// texts returns the elements of an array of strings, or false if value is anything else.
func texts(value any) ([]string, bool) {
	var all []string
	elements, ok := value.([]any)
	for _, e := range elements {
		text, isText := e.(string)
		all, ok = append(all, text), ok && isText
	}
	return all, ok
}
