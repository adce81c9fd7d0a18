package rpc

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/schemas"
)

// Shaped is implemented by types that encode themselves: Shape returns a
// value of the struct whose members they write.
type Shaped interface {
	Shape() any
}

// conforms compares the Go types of params and result with the schemas. Its
// error names every member that only one side has, or that has another type.
// Every start of the program does this for every method, which is why it looks
// at the outlines and decodes no schema.
func (m *Method) conforms() error {
	return errors.Join(
		conform(m.params, m.contract.Params, "params"),
		conform(m.result, m.contract.Result, "result"),
	)
}

// comparison walks a Go type and a schema side by side.
type comparison struct {
	path     []string // from the root to what is being compared
	problems []error
	within   []reflect.Type // the structs that are being compared
}

func conform(t reflect.Type, schema *schemas.Schema, root string) error {
	c := &comparison{path: []string{root}}
	c.compare(t, schema.Outline().AppendForms(nil))
	return errors.Join(c.problems...)
}

// compare holds t against the forms that the schema allows.
func (c *comparison) compare(t reflect.Type, forms []*schemas.Outline) {
	if t.Kind() != reflect.Interface && t.Implements(reflect.TypeFor[Shaped]()) {
		t = reflect.TypeOf(reflect.Zero(t).Interface().(Shaped).Shape())
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface:
	case t.Kind() == reflect.Pointer:
		c.compare(t.Elem(), forms)
	case t.Kind() == reflect.Struct:
		c.compareStruct(t, forms)
	case t.Kind() == reflect.Slice:
		c.expect("array", forms)
		c.below(t.Elem(), children(forms, func(o *schemas.Outline) *schemas.Outline { return o.Items }), "[]")
	case t.Kind() == reflect.Map:
		c.expect("object", forms)
		c.below(t.Elem(), children(forms, func(o *schemas.Outline) *schemas.Outline { return o.Additional }), ".*")
	default:
		c.expect(jsonType(t.Kind()), forms)
	}
}

// below compares what stands one step further down the path.
func (c *comparison) below(t reflect.Type, forms []*schemas.Outline, step ...string) {
	c.path = append(c.path, step...)
	c.compare(t, forms)
	c.path = c.path[:len(c.path)-len(step)]
}

func (c *comparison) compareStruct(t reflect.Type, forms []*schemas.Outline) {
	if slices.Contains(c.within, t) {
		return // a type within itself
	}
	c.within = append(c.within, t)
	fields := members(t)
	for _, f := range fields {
		properties := children(forms, func(o *schemas.Outline) *schemas.Outline { return o.Property(f.name) })
		if len(properties) == 0 {
			c.report(".%s is in the Go type %s and not in the schema", f.name, t)
			continue
		}
		c.below(f.typ, properties, ".", f.name)
	}
	for _, name := range lacking(fields, forms) {
		c.report(".%s is in the schema and not in the Go type %s", name, t)
	}
	c.within = c.within[:len(c.within)-1]
}

// lacking returns the properties that have no field, sorted.
func lacking(fields []member, forms []*schemas.Outline) []string {
	var names []string
	for _, o := range forms {
		for _, p := range o.Properties {
			if !named(fields, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// expect reports unless some form has the type, by itself or among others.
func (c *comparison) expect(want string, forms []*schemas.Outline) {
	for _, o := range forms {
		if o.Type == want || strings.Contains(o.Type, strconv.Quote(want)) || o.Type == "integer" && want == "number" || o.Type == "" && o.Fixed {
			return
		}
	}
	c.report(" is %s in Go and something else in the schema", want)
}

// report notes a problem. The format continues the path.
func (c *comparison) report(format string, args ...any) {
	c.problems = append(c.problems, errors.New(strings.Join(c.path, "")+fmt.Sprintf(format, args...)))
}

// member is a JSON member of a struct.
type member struct {
	name string
	typ  reflect.Type
}

// members returns the JSON members of a struct by name, those of embedded
// structs included unless a nearer one has their name.
func members(t reflect.Type) []member {
	out := make([]member, 0, t.NumField())
	var promoted []member
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			promoted = append(promoted, membersOfEmbedded(f.Type)...)
		case name != "-" && f.IsExported():
			out = append(out, member{cmp.Or(name, f.Name), f.Type})
		}
	}
	for _, m := range promoted {
		if !named(out, m.name) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return out
}

func membersOfEmbedded(t reflect.Type) []member {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return members(t)
}

func named(members []member, name string) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.name == name })
}

// children returns the forms of what stands below the forms.
func children(forms []*schemas.Outline, child func(*schemas.Outline) *schemas.Outline) []*schemas.Outline {
	var out []*schemas.Outline
	for _, o := range forms {
		if below := child(o); below != nil {
			out = below.AppendForms(out)
		}
	}
	return out
}

func jsonType(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "boolean"
	case k == reflect.String:
		return "string"
	case k == reflect.Float32 || k == reflect.Float64:
		return "number"
	default:
		return "integer"
	}
}
