package jsonscan

import (
	"bytes"
	"testing"
)

// FuzzAppendString: a text is written as Encode writes it, that is encoding/json.
func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "plain text of more than eight bytes", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<&>'", "Straße\u2028\u2029\ufffd 🙂", "\xff\xc3", "a\xe2\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before := []byte("before")
		got := AppendString(before, []byte(text))
		if want := append(before, MustEncode(text)...); !bytes.Equal(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	})
}
