package catalog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Field names a member of an entry's JSON, such as "title".
type Field string

// fieldIndex is the position of each field in the struct Entry.
var fieldIndex, fieldOrder = entryFields()

func entryFields() (map[Field]int, []Field) {
	index := map[Field]int{}
	var order []Field
	t := reflect.TypeFor[Entry]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		index[Field(name)] = i
		order = append(order, Field(name))
	}
	return index, order
}

// Fields returns the names of all fields, in the order in which they are served.
func Fields() []Field { return append([]Field(nil), fieldOrder...) }

// Encoded returns the entry as JSON without the closing brace and without
// usageCount and lastUsedAt, which change while the rest does not: whoever
// writes it adds them. It must not be changed.
func (e *Entry) Encoded() []byte { return e.encoded }

// Project returns, as an object without the closing brace, only the named
// fields that the entry has, id first and always. Usage is left out as in
// [Entry.Encoded].
func (e *Entry) Project(fields []Field) []byte {
	out := appendMember([]byte{'{'}, "id", e.ID)
	v := reflect.ValueOf(e).Elem()
	for _, name := range fieldOrder {
		if name == "id" || isUsage(name) || !contains(fields, name) {
			continue
		}
		i := fieldIndex[name]
		if optional(i) && v.Field(i).IsZero() {
			continue
		}
		out = appendMember(out, name, v.Field(i).Interface())
	}
	return out
}

func isUsage(name Field) bool { return name == "usageCount" || name == "lastUsedAt" }

func contains(fields []Field, name Field) bool {
	for _, f := range fields {
		if f == name {
			return true
		}
	}
	return false
}

func optional(i int) bool {
	return strings.HasSuffix(reflect.TypeFor[Entry]().Field(i).Tag.Get("json"), ",omitempty")
}

func appendMember(dst []byte, name Field, value any) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, encodeJSON(value)...)
}

// encode returns what [Entry.Encoded] hands out.
func (e *Entry) encode() []byte {
	bare := *e
	bare.UsageCount, bare.LastUsedAt = 0, ""
	object := encodeJSON(&bare)
	return object[:len(object)-1]
}

// encodeJSON encodes a value that is made of strings, numbers and JSON that
// was checked when it was read, so that it cannot fail. Unlike json.Marshal
// it leaves <, > and & as they are: they are common in instructions.
func encodeJSON(value any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic("catalog: cannot encode " + err.Error())
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}
