package rpc

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"

	"instruction-catalog/schemas/jsonscan"
)

// JSON is one encoded JSON value as a sequence of pieces. The pieces must not be changed:
// large answers share bytes that were encoded earlier.
type JSON [][]byte

// Encoder is implemented by results, and parts of results, that assemble their
// JSON from pieces. The caller may change the returned slice of pieces, but not the
// bytes of a piece.
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

// Encode encodes any value: an [Encoder] with its EncodeJSON method, any other value with
// encoding/json. Unlike json.Marshal, it does not escape <, > and &. It escapes terminal
// control characters, which prompts and file names may contain.
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

// Object builds a JSON object, for an [Encoder] that contains other Encoders. The zero
// Object has no members.
type Object struct {
	pieces JSON
	text   []byte // the text since the last piece
}

// Add adds a member. It panics if the value cannot be encoded.
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
		o.pieces = slices.Insert(encoded, 0, append(o.pieces, o.text)...) // the pieces of a large array usually have spare capacity
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

// Integer is an integer param in any spelling that JSON Schema accepts: 10, 10.0 and 1e1
// are the same. Values beyond ±2^53 are clamped, because many JSON readers do not
// represent larger integers exactly.
type Integer int64

const maxInteger = 1 << 53

// UnmarshalJSON implements json.Unmarshaler. It expects a value that fits the schema.
func (n *Integer) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*n = Integer(math.Min(math.Max(x, -maxInteger), maxInteger))
	return nil
}
