package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Encode returns v as JSON, without a trailing newline and without HTML escapes, because
// instructions contain many <, > and &. It fails in the same cases as [json.Marshal].
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}

// MustEncode is like [Encode] but panics on an error. Use it for values that always
// encode, such as strings.
func MustEncode(v any) []byte {
	encoded, err := Encode(v)
	if err != nil {
		panic("jsonscan: " + err.Error())
	}
	return encoded
}

// AppendString appends text as a JSON string, in the same form as [Encode] but several
// times faster.
func AppendString(dst, text []byte) []byte {
	if !utf8.Valid(text) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) {
		return append(dst, MustEncode(string(text))...) // escapes U+2028 and U+2029, and replaces invalid UTF-8
	}
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

// Unquote decodes a quoted JSON string. Like encoding/json, it replaces each unpaired
// surrogate and each byte that is not valid UTF-8 with U+FFFD. repaired reports whether
// it replaced any.
func Unquote(quoted []byte) (text string, repaired bool) {
	decoded, err := jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted)
	return string(decoded), err != nil
}

// Escape escapes the characters in JSON text that could affect a terminal: control
// characters and characters that change the text direction. The JSON value stays the
// same.
func Escape(text []byte) []byte {
	steers := func(r rune) bool {
		return r >= 0x7F && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	}
	if bytes.IndexFunc(text, steers) < 0 {
		return text
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		if steers(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}
