package review

import (
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain text, as it is":                "plain text, as it is",
		"a * b ** c and snake_case":           "a * b ** c and snake_case",
		"* item\n* **bold** item":             "* item\n* bold item",
		"~/.ssh and ~~gone~~":                 "~/.ssh and gone",
		"x < y > z, a<b, 5<6>":                "x < y > z, a<b, 5<6>",
		"AT&T, 100 % and 5%, C:\\data\\x":     "AT&T, 100 % and 5%, C:\\data\\x",
		"a\\*b\\_c":                           "a*b_c",
		"# Title\n\n\n\ntext\n":               "Title\n\ntext\n",
		"one\ntwo,\nthree.\nFour":             "one two, three.\nFour",
		"- one\n- two":                        "- one\n- two",
		"| a | b |\n|---|:-:|\n| c | d |":     " a b c d ",
		"[text](https://host.example/?q=1)":   "text.\nhttps://host.example/?q=1",
		"a <i class=b>c</i><br/>d":            "a c d.\ni class=b",
		"a<!-- b **c** -->d":                  "ad.\nb c ",
		"<!-- open":                           "<!-- open",
		"&lt;b&gt;x&lt;/b&gt; &nosuch;":       "x &nosuch;",
		"\\ud83d\\ude00 \\u{110000}":          "\\ud83d\\ude00 \ufffd",
		"%C3%A9 %ff":                          "e %ff",
		"йод, ή, größe, été":                  "йод, ή, große, ete",
		"\x1b[1;31mred\x1b[0m \x1b]8;;u\x07l": "red l",
		"\xff*a*\xfe":                         "\xffa\xfe",
	} {
		v := (&view{text: text}).render()
		if v.text != want {
			t.Errorf("%q: got %q, want %q", text, v.text, want)
		}
	}
}

// FuzzViews checks that every byte of a view comes from a part of the text, and that
// no view is much longer than the text.
func FuzzViews(f *testing.F) {
	for _, seed := range []string{
		"a **b** <i title=\"&lt;!-- c --&gt;\">d</i> [e](f \"g\")", "&#105;\\u0069%69\x1b[0m\u0336\ufdfa\x00", "| a |\n|--|\n> <!-- <!-- -->",
		"![a](b[c](d(e)))", "\\\\\\u005cu0069", "%25%32%35", "\u2028\u2800\xc2", "<a <b <c> \">",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > MaxPrompt {
			return
		}
		for _, v := range viewsOf(text, true) {
			if len(v.text) > maxGrowth*maxGrowth*len(text)+2*strings.Count(v.text, ".\n") {
				t.Errorf("a view has %d bytes, the text %d", len(v.text), len(text))
			}
			for i := range len(v.text) {
				if s := v.span(Span{i, i + 1}); s.Start < 0 || s.End > len(text) || s.Start >= s.End {
					t.Fatalf("byte %d of %q is from %v of %q", i, v.text, s, text)
				}
			}
		}
	})
}
