package rpc

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// Encode encodes any value: an [Encoder] by itself, a struct with Encoders among
// its fields member by member (see [encodable] for which structs may be that),
// everything else with encoding/json. It leaves <, > and & as they are, which
// json.Marshal does not.
func Encode(v any) (JSON, error) {
	if e, ok := v.(Encoder); ok {
		return e.EncodeJSON(), nil
	}
	if value := reflect.ValueOf(v); value.Kind() == reflect.Struct {
		if members := membersOf(value.Type()); members != nil {
			return encodeMembers(value, members)
		}
	}
	text, err := jsonscan.Encode(v)
	if err != nil {
		return nil, err
	}
	return JSON{text}, nil
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

// encodedMember is a field of a struct that is encoded member by member.
type encodedMember struct {
	field     int
	name      string // as JSON, with the colon
	omitEmpty bool
	scalar    reflect.Kind // String, Bool or Int; Invalid where more than that decides how the field is encoded
}

// memberLists holds what [membersOf] found out, by [reflect.Type].
var memberLists sync.Map

// membersOf returns the members of a type of struct, none where no [Encoder] is
// among them. It remembers: finding them takes longer than encoding a small
// answer.
func membersOf(t reflect.Type) []encodedMember {
	if known, ok := memberLists.Load(t); ok {
		return known.([]encodedMember)
	}
	var members []encodedMember
	if hasEncoder(t) {
		for i := range t.NumField() {
			f := t.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			members = append(members, encodedMember{i, `"` + name + `":`, options == "omitempty", scalarOf(f.Type)})
		}
	}
	memberLists.Store(t, members)
	return members
}

func scalarOf(t reflect.Type) reflect.Kind {
	itself := t.Implements(reflect.TypeFor[Encoder]()) ||
		t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	if !itself && slices.Contains([]reflect.Kind{reflect.String, reflect.Bool, reflect.Int}, t.Kind()) {
		return t.Kind()
	}
	return reflect.Invalid
}

// encodeMembers encodes a struct. All that its Encoders do not bring along is
// one text, and cut where their pieces come in.
func encodeMembers(v reflect.Value, members []encodedMember) (JSON, error) {
	object := make(JSON, 0, 8)
	text := append(make([]byte, 0, 192), '{')
	cut := 0
	for _, m := range members {
		value := v.Field(m.field)
		if m.omitEmpty && value.IsZero() {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, m.name...)
		if longer, ok := m.appendScalar(text, value); ok {
			text = longer
			continue
		}
		encoded, err := Encode(value.Interface())
		if err != nil {
			return nil, err
		}
		object = append(append(object, text[cut:len(text):len(text)]), encoded...)
		cut = len(text)
	}
	return append(object, append(text, '}')[cut:]), nil
}

// appendScalar appends what can be written as it is; ok is false for the rest.
func (m *encodedMember) appendScalar(text []byte, value reflect.Value) (_ []byte, ok bool) {
	switch m.scalar {
	case reflect.Bool:
		return strconv.AppendBool(text, value.Bool()), true
	case reflect.Int:
		return strconv.AppendInt(text, value.Int(), 10), true
	case reflect.String:
		if s := value.String(); isPlain(s) {
			return append(append(append(text, '"'), s...), '"'), true
		}
	}
	return nil, false
}

// isPlain reports whether a JSON string holds s as it is: ASCII, and nothing to
// escape.
func isPlain(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
