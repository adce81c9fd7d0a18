package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
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

// MustEncode is [Encode] for values that always encode, such as strings. It panics
// if one does not.
func MustEncode(v any) []byte {
	encoded, err := Encode(v)
	if err != nil {
		panic("jsonscan: " + err.Error())
	}
	return encoded
}

// AppendString appends text as [Encode] writes it, several times faster.
func AppendString(dst, text []byte) []byte {
	if !utf8.Valid(text) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) {
		return append(dst, MustEncode(string(text))...) // which escapes these
	}
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

// Unquote returns the text of a string that is given with its quotes. As
// encoding/json does, it reads half a surrogate pair, and each byte that is not
// UTF-8, as U+FFFD; repaired reports whether it had to.
func Unquote(quoted []byte) (text string, repaired bool) {
	decoded, err := jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted)
	return string(decoded), err != nil
}

// Escape escapes the characters of JSON text that could steer a terminal: control
// characters, and those that change the direction of text. The value is the same.
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
