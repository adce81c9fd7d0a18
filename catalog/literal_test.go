package catalog

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Wherever a body is cut, its parts stand for the parts of the text.
func TestCutEscaped(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	characters := []string{"a", " ", `\`, `\`, `"`, "\n", "\x00", "\x1f", "\u2028", "é", "設", "😀", "\xff", "u", "n", "0"}
	for range 2000 {
		var text strings.Builder
		for range random.IntN(30) {
			text.WriteString(characters[random.IntN(len(characters))])
		}
		body := BodyOf(text.String())
		escaped := body.unquoted()
		from := 0 // a boundary that was found before
		for at := 0; at <= len(escaped); at += 1 + random.IntN(9) {
			cut := cutEscaped(escaped, from, at)
			if cut < at || cut > at+len(`\u0000`) || cut > len(escaped) {
				t.Fatalf("cutEscaped(%q, %d, %d) = %d", escaped, from, at, cut)
			}
			parts := appendUnescaped(appendUnescaped(nil, escaped[:cut]), escaped[cut:])
			if string(parts) != body.Text() || !utf8.ValidString(escaped[:cut]) {
				t.Fatalf("%q cut at %d stands for %q, want %q", escaped, cut, parts, body.Text())
			}
			if random.IntN(2) == 0 && cut <= at {
				from = cut
			}
		}
	}
}
