package files

import "testing"

func TestTrimByteOrderMark(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                     "",
		"a":                    "a",
		"\xEF\xBB\xBFa":        "a",
		"\xEF\xBB\xBF\uFEFFa":  "\uFEFFa",
		"a\uFEFF":              "a\uFEFF",
		"\xEF\xBBa":            "\xEF\xBBa",
		"\xFE\xFF" + "UTF-16?": "\xFE\xFF" + "UTF-16?",
	} {
		if got := string(TrimByteOrderMark([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":              -1,
		"aß€😀":          -1,
		"\uFFFD":        -1, // the replacement character itself is valid
		"\xff":          0,
		"ß\uFFFD\xa0b":  5,
		"ab\xe2\x82":    2, // cut off within a character
		"a\xed\xa0\x80": 1, // half a surrogate pair
	} {
		if got := InvalidUTF8([]byte(text)); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestLineAt(t *testing.T) {
	t.Parallel()
	const text = "a\nb\r\n\nc"
	for offset, want := range map[int]int{0: 1, 1: 1, 2: 2, 4: 2, 5: 3, 6: 4, 7: 4, 100: 4} {
		if got := LineAt([]byte(text), offset); got != want {
			t.Errorf("offset %d: got line %d, want %d", offset, got, want)
		}
	}
	if got := LineAt(nil, 0); got != 1 {
		t.Errorf("an empty text: got line %d, want 1", got)
	}
}
