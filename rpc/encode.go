package rpc

import (
	"slices"

	"instruction-catalog/schemas/jsonscan"
)

// Encode encodes any value: an [Encoder] by itself, everything else with
// encoding/json. That leaves <, > and & as they are, which json.Marshal does not, and
// escapes what could steer a terminal: prompts, and names of files, may have it in them.
func Encode(v any) (JSON, error) {
	if e, ok := v.(Encoder); ok {
		return e.EncodeJSON(), nil
	}
	text, err := jsonscan.Encode(v)
	if err != nil {
		return nil, err
	}
	return JSON{jsonscan.Escape(text)}, nil
}

// Object is a JSON object in the making, for an [Encoder] that has others among
// its members. The zero Object has no member.
type Object struct {
	pieces JSON
	text   []byte // what is not a piece yet
}

// Add adds a member. It panics where the value cannot be encoded.
func (o *Object) Add(name string, value any) {
	separator := byte(',')
	if o.pieces == nil && o.text == nil {
		separator = '{'
	}
	encoded, err := Encode(value)
	if err != nil {
		panic("rpc: the member " + name + ": " + err.Error())
	}
	o.text = append(append(append(o.text, separator, '"'), name...), '"', ':')
	if _, ok := value.(Encoder); ok {
		o.pieces = slices.Insert(encoded, 0, append(o.pieces, o.text)...) // which an array of thousands has room for
		o.text = nil
		return
	}
	o.text = append(o.text, encoded.Bytes()...)
}

// JSON returns the object.
func (o *Object) JSON() JSON {
	if o.pieces == nil && o.text == nil {
		return JSON{[]byte("{}")}
	}
	return append(o.pieces, append(o.text, '}'))
}
