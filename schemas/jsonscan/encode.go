package jsonscan

import (
	"bytes"
	"encoding/json"
)

// Encode returns v as JSON, without a newline and without the escapes that only
// HTML needs: instructions are full of <, > and &. It fails as [json.Marshal]
// does.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}

// MustEncode is [Encode] of what cannot fail, such as strings. It panics if that
// does.
func MustEncode(v any) []byte {
	encoded, err := Encode(v)
	if err != nil {
		panic("jsonscan: " + err.Error())
	}
	return encoded
}
