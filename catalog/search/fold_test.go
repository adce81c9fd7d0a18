package search

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/yuin/goldmark/util"
	"golang.org/x/text/cases"
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
		if got := Fold(c.in); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
		for _, pad := range []string{"x", "Xyz1234", "XYZabcd8", "αX"} {
			padded, want := pad+c.in+pad, Fold(pad)+c.want+Fold(pad)
			if got := Fold(padded); got != want {
				t.Errorf("Fold(%q) = %q, want %q", padded, got, want)
			}
		}
	}
}

// oracle is cases.Fold with its exchange of Cherokee capitals and small letters
// undone, by a way of its own.
var oracle = func() func(string) string {
	var pairs []string
	for capital := rune(0x13A0); capital <= 0x13F5; capital++ {
		pairs = append(pairs, string(unicode.ToLower(capital)), string(capital))
	}
	capitals, fold := strings.NewReplacer(pairs...), cases.Fold()
	return func(s string) string { return capitals.Replace(fold.String(s)) }
}()

func TestFoldAgreesWithCasesOnAllOfUnicode(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		s := string(r)
		want := cases.Fold().String(s)
		if 0x13A0 <= r && r <= 0x13F5 {
			want = s // golang.org/issue/46101
		}
		if got := Fold(s); got != want {
			t.Errorf("Fold(%U) = %q, want %q", r, got, want)
		}
		if len(want) > maxGrowth*len(s) {
			t.Errorf("%U grows from %d to %d bytes, more than %d times", r, len(s), len(want), maxGrowth)
		}
	}
}

// goldmark folds by a table that it makes from the standard's CaseFolding.txt,
// all mappings of status C and F: 1,530 of them in Unicode 15, the version that
// cases has. It shares nothing with cases, and has Cherokee right.
func TestFoldIsThatOfTheStandardOnAllOfUnicode(t *testing.T) {
	t.Parallel()
	folds := 0
	for r := range rune(unicode.MaxRune + 1) {
		s := string(r)
		want := string(util.DoFullUnicodeCaseFolding([]byte(s)))
		if got := Fold(s); got != want {
			t.Errorf("Fold(%U) = %q, the standard says %q", r, got, want)
		}
		if want != s {
			folds++
		}
	}
	if folds != 1530 {
		t.Errorf("%d characters fold, CaseFolding.txt of Unicode 15 has 1530", folds)
	}
}

// The standard library has tables of its own for simple folding. What is one
// letter there must be one here.
func TestFoldJoinsWhatSimpleFoldingJoins(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		other := unicode.SimpleFold(r)
		if other == r || Fold(string(r)) == Fold(string(other)) {
			continue
		}
		t.Errorf("%U and %U are equal under simple folding, but fold to %q and %q",
			r, other, Fold(string(r)), Fold(string(other)))
	}
}

func TestFoldSharesWhatDoesNotChange(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"plain", "naïve café", "用户", "a\xff"} {
		if got := Fold(s); unsafe.StringData(got) != unsafe.StringData(s) {
			t.Errorf("Fold(%q) is a copy", s)
		}
	}
}

func TestLowerASCIIAtEveryLengthAndByte(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for length := range 20 {
			for at := range length {
				b := []byte(strings.Repeat("q", length))
				b[at] = byte(c)
				n := lowerASCII(b)
				want, wantN := byte(c), length
				if c >= utf8.RuneSelf {
					wantN = at
				} else {
					want = byte(unicode.ToLower(rune(c)))
				}
				if n != wantN || b[at] != want {
					t.Fatalf("byte %#x at %d of %d: n = %d, want %d; became %#x, want %#x",
						c, at, length, n, wantN, b[at], want)
				}
			}
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, c := range foldings {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := Fold(s), oracle(s)
		if got != want {
			t.Errorf("Fold(%q) = %q, want %q", s, got, want)
		}
		if again := Fold(got); utf8.ValidString(s) && again != got {
			t.Errorf("Fold(%q) = %q, folded again %q", s, got, again)
		}
	})
}
