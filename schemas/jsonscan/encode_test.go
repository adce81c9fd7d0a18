package jsonscan

import (
	"encoding/json"
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
