package jsonscan

import (
	"bytes"
	"testing"
)

// FuzzPlain holds Plain against going byte by byte, in texts of every kind.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{``, `"a"b`, `"0123456789abcdef"`, "\"0123\x1f5678\"", "\"01234567\u00e9\"", "\"\x7f\x00\"", "\"aaaaaaa\x80\x1f\\\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for at := range text {
			if got, want := Plain(text, at), plainByByte(text, at); got != want {
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
			if got, want := Plain(text, 0), plainByByte(text, 0); got != want {
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
