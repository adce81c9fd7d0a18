package schemas

import (
	"math"
	"slices"
	"strconv"

	"instruction-catalog/schemas/jsonscan"
)

// newMatcher returns the matcher of a schema, nil where no matcher can be all
// that the schema is. It reads the text, which is many times cheaper than
// compiling the schema with the library: the first call of a method waits for it.
func newMatcher(f *fragment) *matcher {
	r := &matcherReader{}
	m := r.fragment(f, 0)
	if r.failed {
		return nil
	}
	return m
}

// matcherReader reads matchers from the text of schemas.
type matcherReader struct {
	failed bool // the schema has something in it that no matcher knows
}

// require notes what a schema must have, or must not, for a matcher to know it.
func (r *matcherReader) require(ok bool) { r.failed = r.failed || !ok }

func (r *matcherReader) fragment(f *fragment, level int) *matcher {
	return r.schema(f.document, jsonscan.New(f.raw), level)
}

// wording is a schema as it is written, before its parts are put together.
type wording struct {
	matcher
	target   *matcher // of a $ref
	needed   []string // the names of required
	closed   bool     // additionalProperties is false
	keywords int      // those that assert something
}

// schema reads the schema that comes next.
func (r *matcherReader) schema(d *document, s *jsonscan.Scanner, level int) *matcher {
	if r.require(level < MostNested); r.failed {
		s.Skip()
		return nil
	}
	all := span{math.MinInt64, math.MaxInt64}
	w := &wording{matcher: matcher{count: all, length: all, size: all}}
	for name := range s.Members() {
		r.keyword(w, string(name), d, s, level)
	}
	return r.complete(w)
}

func (r *matcherReader) keyword(w *wording, name string, d *document, s *jsonscan.Scanner, level int) {
	w.keywords++
	switch name {
	case "title", "description", "default", "$comment":
		w.keywords--
		s.Skip()
	case "$ref":
		w.target = r.fragment(d.set.definition(d.ref(string(s.Text()))), level+1)
	case "type":
		w.form = forms[string(s.Text())]
	case "properties":
		for name := range s.Members() {
			w.properties = append(w.properties, property{r.quoted(name), r.schema(d, s, level+1)})
		}
	case "required":
		w.needed = r.strings(s)
	case "additionalProperties":
		w.closed = string(s.Raw()) == "false"
	case "items":
		w.items = r.schema(d, s, level+1)
	case "enum":
		w.enum = r.strings(s)
	default:
		r.limit(w, name, s)
	}
}

var forms = map[string]form{
	"object": objectForm, "array": arrayForm, "string": stringForm, "boolean": booleanForm, "integer": integerForm,
}

// limit reads a keyword that has a bound.
func (r *matcherReader) limit(w *wording, name string, s *jsonscan.Scanner) {
	switch name {
	case "minimum":
		w.size.least = r.bound(s)
	case "maximum":
		w.size.most = r.bound(s)
	case "minLength":
		w.length.least = r.bound(s)
	case "maxLength":
		w.length.most = r.bound(s)
	case "minItems":
		w.count.least = r.bound(s)
	case "maxItems":
		w.count.most = r.bound(s)
	default:
		r.require(false)
		s.Skip()
	}
}

func (r *matcherReader) bound(s *jsonscan.Scanner) int64 {
	n, err := strconv.ParseInt(string(s.Raw()), 10, 64)
	r.require(err == nil)
	return n
}

// strings reads an array of nothing but strings.
func (r *matcherReader) strings(s *jsonscan.Scanner) []string {
	values := []string{}
	for range s.Elements() {
		r.require(s.Next() == '"')
		values = append(values, string(s.Text()))
	}
	return values
}

// quoted returns the name of a member as it is usually written.
func (r *matcherReader) quoted(name []byte) string {
	r.require(jsonscan.Plain(name, 0) == len(name))
	return `"` + string(name) + `"`
}

// complete makes a matcher of a schema that has been read. Beside a $ref
// draft-07 ignores what stands there, and so it is best that nothing does.
func (r *matcherReader) complete(w *wording) *matcher {
	if w.target != nil {
		r.require(w.keywords == 1)
		return w.target
	}
	r.require(w.form != 0)
	r.require(w.form != objectForm || w.closed && len(w.properties) <= mostProperties)
	r.require(w.form != arrayForm || w.items != nil)
	r.require(w.form == stringForm || w.enum == nil) // of which all values are strings
	for _, name := range w.needed {
		i := slices.IndexFunc(w.properties, func(p property) bool { return p.quoted == `"`+name+`"` })
		r.require(i >= 0)
		w.required = w.required.with(max(i, 0))
	}
	if r.failed {
		return nil
	}
	w.values = w.mostValues()
	return &w.matcher
}
