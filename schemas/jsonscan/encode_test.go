package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestEscapeChangesNoValue(t *testing.T) {
	for text, want := range map[string]string{
		`plain`:              `"plain"`,
		"ä\u202eb\u2066":     `"ä\u202eb\u2066"`,
		"\x1b[31m\x7f\u0085": `"\u001b[31m\u007f\u0085"`,
		"人 <b> 😀":            `"人 <b> 😀"`,
	} {
		got := Escape(MustEncode(text))
		if string(got) != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%q: reads as %q, %v", text, back, err)
		}
	}
}

// FuzzAppendString checks that AppendString writes the same text as Encode.
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

// FuzzUnquote checks that Unquote returns the same text as encoding/json.
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
