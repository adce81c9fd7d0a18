package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Escape returns JSON that says the same, with escapes for what may stand in a string
// as it is and could steer a terminal: control characters, and those that change the
// direction of text.
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

// AppendString appends a text as JSON, as [Encode] has it. For long texts it is
// several times faster.
func AppendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	for at := 0; ; {
		end := plainEnd(text, at)
		dst = append(dst, text[at:end]...)
		if end == len(text) {
			return append(dst, '"')
		}
		r, size := utf8.DecodeRune(text[end:])
		at = end + size
		letter := strings.IndexByte(letters, text[end])
		switch {
		case letter >= 0:
			dst = append(dst, '\\', letters[letter&^1])
		case r < ' ', r == '\u2028', r == '\u2029', r == utf8.RuneError && size == 1:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = append(dst, text[end:at]...)
		}
	}
}
