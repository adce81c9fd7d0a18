package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzPlain holds plainEnd against going byte by byte, in texts of every kind.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{``, `"a"b`, `"0123456789abcdef"`, "\"0123\x1f5678\"", "\"01234567\u00e9\"", "\"\x7f\x00\"", "\"aaaaaaa\x80\x1f\\\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for at := range text {
			if got, want := plainEnd(text, at), plainByByte(text, at); got != want {
				t.Errorf("%q from %d: plain until %d, want %d", text, at, got, want)
			}
		}
	})
}

// TestEverySpecialByte puts each byte at each place of a word, between the bytes
// that borrow most.
func TestEverySpecialByte(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for place := range 17 {
			text := bytes.Repeat([]byte{' '}, 17)
			text[place] = byte(c)
			if got, want := plainEnd(text, 0), plainByByte(text, 0); got != want {
				t.Errorf("%#x at %d: plain until %d, want %d", c, place, got, want)
			}
		}
	}
}

func plainByByte(text []byte, at int) int {
	for at < len(text) && text[at] >= 0x20 && text[at] < 0x80 && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

// FuzzUnquote: a string is read as encoding/json reads it.
func FuzzUnquote(f *testing.F) {
	for _, inside := range []string{
		``, `a`, `\"\\\/\b\f\n\r\t`, `\u0041\u00e9\uFFfd\u2028`, `\ud83d\ude00`, `\ud83d`, `\ude00x`, `\ud83d\u0041`, `\ud83d\ud83d\ude00`,
		"é\xff\xe2\x80x\\n", "\U0001F600\\\\u",
	} {
		f.Add(inside)
	}
	f.Fuzz(func(t *testing.T, inside string) {
		var want string
		quoted := []byte(`"` + inside + `"`)
		if json.Unmarshal(quoted, &want) != nil {
			return
		}
		if got, repaired := Unquote(quoted); got != want || repaired && !strings.Contains(want, "\uFFFD") {
			t.Errorf("%s: got %q, want %q, repaired: %v", quoted, got, want, repaired)
		}
	})
}
