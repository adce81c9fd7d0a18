package rpc

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"

	"instruction-catalog/schemas/jsonscan"
)

// JSON is one encoded JSON value as a sequence of pieces. Large answers consist of
// bytes that were encoded earlier, so the pieces are shared and must not be changed.
type JSON [][]byte

// Encoder is implemented by results, and parts of results, that assemble their
// JSON from pieces. The row is the caller's, the pieces are not.
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

// Integer is an integer among params, in every spelling that JSON Schema accepts: 10,
// 10.0 and 1e1 are the same. Values beyond 2^53, from where not every integer is
// exact for every JSON reader, are clamped to it.
type Integer int64

const maxInteger = 1 << 53

// UnmarshalJSON implements json.Unmarshaler for a value that the schema allows.
func (n *Integer) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*n = Integer(math.Min(math.Max(x, -maxInteger), maxInteger))
	return nil
}
