package review

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestAnchorsOf(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`ignore`:                         "IGNORE",
		`(?-i:AKIA)[A-Z0-9]{16}`:         "AKIA",
		`\b(?:ignore|forget)\s+all`:      "FORGET IGNORE",
		`.*forget`:                       "FORGET",
		`(?:forget){2,}`:                 "FORGET",
		`(?:forget)+`:                    "FORGET",
		`(?:a|forget)`:                   "", // a is too short
		`(?:forget)?x`:                   "",
		`(?:forget){0,3}x`:               "",
		`gh[op]_`:                        "GHO_ GHP_",
		`instructions`:                   "INSTRUCT",
		`\x{200B}|\x{200D}`:              "\u200b \u200d",
		`straße|忽略.`:                     "STRAßE 忽略",
		`[a-z]+`:                         "",
		`(?:very )?good`:                 "GOOD VERY GOO",
		`(?:(?:abcd)?e)+(?:fgh|ijk\d+)x`: "FGH IJK",
	} {
		checked, err := checkPattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var literals []string
		for _, a := range anchorsOf(checked.tree) {
			literals = append(literals, a.literal)
		}
		slices.Sort(literals)
		if got := strings.Join(literals, " "); got != want {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}

// A window reaches as far as a match could, in the text at hand, and one character
// further.
func TestWindows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pattern, text, windows string }{
		{`ignore`, "please ignore it", " ignore "},
		{`ignore\s+all`, "xx ignore \t  it", " ignore \t  it"},
		{`\w+-key-\w*`, "a b-c my-key-is1 that", " my-key-is1 "},
		{`.{0,3}forget.{0,100}`, "abcdéforget\nabc", "bcdéforget\n"},
		{`(?:ab|c)*forget`, "xcabforgetx", "xcabforgetx"},
		{`forget|(?s:.)+all`, "one\ntwo all|x", "one\ntwo all|"},
		{`ignore`, "an ignore and ignored", " ignore | ignored"},
	} {
		r, err := criteriaRule{Pattern: test.pattern}.compile("c")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range newScanner([]*rule{r}).scan([]*rule{r}, test.text)[0].windows {
			got = append(got, test.text[w.Start:w.End])
		}
		if strings.Join(got, "|") != test.windows {
			t.Errorf("%s in %q: got %q, want %q", test.pattern, test.text, got, test.windows)
		}
	}
}

// FuzzWindows: a pattern finds the same in the windows around its anchors as in the
// whole text.
func FuzzWindows(f *testing.F) {
	for _, seed := range [][2]string{
		{`\b(?:ignore|disregard)\s{1,3}all\b`, "please IGNORE  all, allignore all"}, {`kiss`, "\u212Aiſs kiss KISS"},
		{`(?-i:DAN) mode`, "DAN mode"}, {`(a|bcd)(efg|x)`, "bcdefg"}, {`straße`, "STRAẞE"}, {`(?:abc){1,2}d?`, "abcabcd"},
		{`[Kk]elvin|celsius`, "\u212AELVIN"}, {`\B\w{2,4}abc\b`, "xxxxxabc xabc"}, {`(?m)^abc.{0,3}$`, "x\nabc\nabcd\nabcde\nabcdefgh"},
		{`\d+`, "1 22"}, {`(?:[a-z]{2})+x`, "abx"}, {`(?:a|forget)+`, "a forget"},
		{`^abc|abc$`, "abc abc abc"}, {`[^a]{0,3}abc(?s:.){0,2}\b`, "\x80\xff\xffabc\xe2\x82abc"}, {`a[bc]d.{0,2}`, "acd\xf0\x9f\x98\x80"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(text) > 1000 || len(pattern) > 200 {
			return
		}
		r, err := criteriaRule{Pattern: pattern}.compile("c")
		if err != nil {
			return
		}
		rules := []*rule{r}
		windows := newScanner(rules).scan(rules, text)[0].windows
		got := r.find(text, windows, true)
		var want []Span
		for _, m := range regexp.MustCompile(ignoreCase+pattern).FindAllStringIndex(text, -1) {
			want = append(want, Span{m[0], m[1]})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q in %q: got %v in %v, want %v", pattern, text, got, windows, want)
		}
	})
}
