package instructions

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"", ""},
		{"plain text", "plain text"},
		{" \t a\r\n\v b\u0085c\u2028d\u2029e\u00A0 ", "a b c d e"},
		{"\x00\x1b[31mred\x7f\u009b", "[31mred"},
		{"abc\u202Edcba\u2066x\u2069", "abcdcbax"},               // what turns the writing around
		{"a\u200Bb\uFEFFc\U000E0041\u00ADd\uE000\uFFFE", "abcd"}, // what cannot be seen
		{"👩\u200D💻 می\u200Cخواهم", "👩\u200D💻 می\u200Cخواهم"},     // joiners belong to the text
		{"\x01\u2029\u200B", ""},
		{"a\xffb", "a\uFFFDb"},
	}
	for _, tt := range tests {
		if got := oneLine(tt.text); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"", 3, ""}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"ab", 1, "…"}, {"ab", 0, ""},
		{"💩💩💩", 2, "💩…"},
	}
	for _, tt := range tests {
		if got := cut(tt.text, tt.most); got != tt.want {
			t.Errorf("%q to %d: got %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

// TestCutWire checks that cutWire keeps as much of the escaped text as fits, and no
// more.
func TestCutWire(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "abc", `"quoted"`, "<b>&amp;</b>", "äöü", "💩💩💩", strings.Repeat("<x", 50)} {
		whole := wireSize(text)
		for room := -1; room <= whole; room++ {
			got := cutWire(text, room)
			if wireSize(got) > max(room, 0) || !utf8.ValidString(got) || room == whole && got != text {
				t.Errorf("%q in %d bytes: %q", text, room, got)
			}
			if next := cut(text, utf8.RuneCountInString(got)+1); room >= 0 && got != text && wireSize(next) <= room {
				t.Errorf("%q in %d bytes: %q, but %q fits", text, room, got, next)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "0 entries", 1: "1 entry", 2: "2 entries", 999: "999 entries", 1000: "1,000 entries",
		25310: "25,310 entries", 100000: "100,000 entries", 1234567: "1,234,567 entries",
	} {
		if got := counted(n, "entry", "entries"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSomeOf(t *testing.T) {
	t.Parallel()
	names := []string{"one", "two", "three", "four"}
	for most, want := range map[int]string{
		100: "one, two, three, four", 21: "one, two, three, four", 20: "one, two, three and 1 more", 8: "one, two and 2 more", 3: "one and 3 more",
	} {
		if got := someOf(names, most); got != want {
			t.Errorf("in %d bytes: %q, want %q", most, got, want)
		}
	}
}
