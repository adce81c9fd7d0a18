package rpc

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
)

// JSON is one encoded JSON value as a row of pieces. A large answer is made of
// bytes that were encoded long before, so the pieces are shared and must not
// be changed.
type JSON [][]byte

// Encoder is implemented by results, and parts of results, that assemble their
// JSON from pieces.
type Encoder interface {
	EncodeJSON() JSON
}

// Len returns the length of the value in bytes.
func (j JSON) Len() int {
	n := 0
	for _, piece := range j {
		n += len(piece)
	}
	return n
}

// Bytes returns the value in one piece.
func (j JSON) Bytes() []byte { return bytes.Join(j, nil) }

// WriteTo writes the value to w.
func (j JSON) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for _, piece := range j {
		n, err := w.Write(piece)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// Encode encodes any value: an [Encoder] by itself, a struct with Encoders among
// its fields member by member (see [encodable] for which structs may be that),
// everything else with encoding/json. It leaves <, > and & as they are, which
// json.Marshal does not.
func Encode(v any) (JSON, error) {
	if e, ok := v.(Encoder); ok {
		return e.EncodeJSON(), nil
	}
	if value := reflect.ValueOf(v); value.Kind() == reflect.Struct && hasEncoder(value.Type()) {
		return encodeMembers(value)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return JSON{bytes.TrimSuffix(buf.Bytes(), []byte("\n"))}, nil
}

func hasEncoder(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Type.Implements(reflect.TypeFor[Encoder]()) {
			return true
		}
	}
	return false
}

// encodable reports whether [Encode] encodes values of a type as encoding/json
// would. A struct with Encoders among its fields must be plain for that: each
// field exported, not embedded, with a name and no option but omitempty; and an
// Encoder that may be left out must be a pointer.
func encodable(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !hasEncoder(t) {
		return true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		omissible := slices.Contains([]reflect.Kind{reflect.Pointer, reflect.String, reflect.Bool, reflect.Int}, f.Type.Kind())
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" ||
			options != "" && !(options == "omitempty" && omissible) {
			return false
		}
	}
	return true
}

func encodeMembers(v reflect.Value) (JSON, error) {
	object := JSON{}
	separator := `{"`
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if options == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		value, err := Encode(v.Field(i).Interface())
		if err != nil {
			return nil, err
		}
		object = append(append(object, []byte(separator+name+`":`)), value...)
		separator = `,"`
	}
	if len(object) == 0 {
		return JSON{[]byte("{}")}, nil
	}
	return append(object, []byte("}")), nil
}
