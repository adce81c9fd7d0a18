package fold

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var foldings = []struct{ in, want string }{
	{"", ""},
	{"already folded, 123 _[]^`{}~@\x00\x7f", "already folded, 123 _[]^`{}~@\x00\x7f"},
	{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"},
	{"@AZ[`az{", "@az[`az{"},
	{"Straße", "strasse"},
	{"STRASSE", "strasse"},
	{"STRAẞE", "strasse"},
	{"ſ", "s"},
	{"\u212a", "k"},      // U+212A, the Kelvin sign
	{"\u212b", "\u00e5"}, // U+212B, the Ångström sign
	{"\u2126", "\u03c9"}, // U+2126, the Ohm sign
	{"\u00b5", "\u03bc"}, // U+00B5 to U+03BC
	{"ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ"},
	{"\u0130", "i\u0307"},
	{"ı", "ı"},
	{"ŉ", "ʼn"},
	{"\u0390", "\u03b9\u0308\u0301"}, // three times as long
	{"ﬃ ﬅ ﬆ", "ffi st st"},
	{"ᾼ ᾳ", "αι αι"},
	{"Ǆ ǅ ǆ", "ǆ ǆ ǆ"},
	{"Ꭰꭰ Ꮿꮿ Ᏸᏸ Ᏽᏽ", "ᎠᎠ ᏯᏯ ᏰᏰ ᏵᏵ"}, // Cherokee folds to capitals
	{"Ა ა", "ა ა"}, // Georgian, its neighbour in UTF-8
	{"ПРИВЕТ, Мир", "привет, мир"},
	{"𐐀", "𐐨"},
	{"É", "é"},
	{"E\u0301", "e\u0301"}, // not composed
	{"用户 USER", "用户 user"},
	{"A\xffB\xc3C\xe2\x84", "a\xffb\xc3c\xe2\x84"},
	{"\xc3\xa0\x80\xed\xa0\x80Z", "\xc3\xa0\x80\xed\xa0\x80z"},
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range foldings {
		if got := String(c.in); got != c.want {
			t.Errorf("String(%q) = %q, want %q", c.in, got, c.want)
		}
		for _, pad := range []string{"x", "Xyz1234", "XYZabcd8", "αX"} {
			padded, want := pad+c.in+pad, String(pad)+c.want+String(pad)
			if got := String(padded); got != want {
				t.Errorf("String(%q) = %q, want %q", padded, got, want)
			}
		}
	}
}

// TestFoldIsThatOfTheStandardOnAllOfUnicode checks all mappings of status C and F.
// CaseFolding.txt of Unicode 15.0 has 1,530.
func TestFoldIsThatOfTheStandardOnAllOfUnicode(t *testing.T) {
	t.Parallel()
	folds := 0
	for r := range rune(unicode.MaxRune + 1) {
		s := string(r)
		want := standardFolding(r)
		if got := String(s); got != want {
			t.Errorf("String(%U) = %q, the standard says %q", r, got, want)
		}
		if want != s {
			folds++
		}
	}
	if folds != 1530 {
		t.Errorf("%d characters fold, CaseFolding.txt of Unicode 15.0 has 1530", folds)
	}
}

// TestFoldJoinsWhatSimpleFoldingJoins compares with the standard library, which has its own
// tables for simple folding: characters that are equal there must be equal here.
func TestFoldJoinsWhatSimpleFoldingJoins(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		other := unicode.SimpleFold(r)
		if other == r || String(string(r)) == String(string(other)) {
			continue
		}
		t.Errorf("%U and %U are equal under simple folding, but fold to %q and %q",
			r, other, String(string(r)), String(string(other)))
	}
}

// oracle folds character by character, directly with the standard mapping.
func oracle(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError {
			b.WriteString(s[:size])
		} else {
			b.WriteString(standardFolding(r))
		}
		s = s[size:]
	}
	return b.String()
}

func FuzzFold(f *testing.F) {
	for _, c := range foldings {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := String(s), oracle(s)
		if got != want {
			t.Errorf("String(%q) = %q, want %q", s, got, want)
		}
		if again := String(got); utf8.ValidString(s) && again != got {
			t.Errorf("String(%q) = %q, folded again %q", s, got, again)
		}
	})
}
