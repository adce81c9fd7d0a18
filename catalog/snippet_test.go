package catalog

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/schemas/jsonscan"
)

func snippetOf(body, q string) Snippet { return shortSnippet(body, q, MaxSnippet) }

func shortSnippet(body, q string, length int) Snippet {
	return NewSnippet(body, length, fold.Locate(body, q))
}

// marked returns the text of a snippet with its matches in brackets.
func marked(s Snippet) string {
	text := []rune(s.Text)
	for _, m := range slices.Backward(s.Matches) {
		text = slices.Insert(text, m[1], ']')
		text = slices.Insert(text, m[0], '[')
	}
	return string(text)
}

// words returns n words, numbered from 100.
func words(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString("w" + string(rune('1'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)) + " ")
	}
	return text.String()
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ name, body, q, want string }{
		{"whole", "Wrap errors, and wrap them once.\n", "wrap", "[Wrap] errors, and [wrap] them once."},
		{"not in the body", "Only the title has it.", "strasse", "Only the title has it."},
		{"no text", "Everything is found.", "", "Everything is found."},
		{"white space", "\n\n# Title\r\n\r\n\tText  and\u00a0more \n", "text", "# Title [Text] and more"},
		{"found across white space", "one\n\n  two", "e\n\n  t", "on[e t]wo"},
		{"found is white space", "a  b   c\n", " ", "a[ ]b[ ]c"},
		{"control characters", "\x00a\x1b[0mb\u202ec\u2066d\n", "b", "a[0m[b]cd"},
		{"found around a control character", "a\x00b", "a\x00B", "[ab]"},
		{"found is a control character", "a\x00b", "\x00", "ab"},
		{"nothing to see", " \n\t\x00", "", ""},
		{"found where there is nothing to see", "abc" + strings.Repeat(" ", 500) + "\x01", "\x01", "abc"},
		{"folded", "Der Weg zur Straße.", "STRASSE", "Der Weg zur [Straße]."},
		{"found in an expansion", "Der eﬃziente Fuß", "s", "Der eﬃziente Fu[ß]"},
		{"characters, not bytes", "用户 😀 指南 指南", "指南", "用户 😀 [指南] [指南]"},
		{"160 characters", strings.Repeat("x", 159) + "Y", "y", strings.Repeat("x", 159) + "[Y]"},
		{"160 characters before what is not shown", strings.Repeat("x", 160) + " \x00", "\x00", strings.Repeat("x", 160)},
		{"more than that", "a " + strings.Repeat("x", 160) + "\x00", "\x00", "…" + strings.Repeat("x", 158)},
		{"161 characters", strings.Repeat("x", 160) + "Y", "", strings.Repeat("x", 158) + "…"},
		{
			"the beginning", words(100), "",
			"w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130…",
		},
		{
			"the beginning, after what is not shown", "\x00" + words(100), "w102",
			"w100 w101 [w102] w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130…",
		},
		{
			"the middle", words(100), "150 w151",
			"…w141 w142 w143 w144 w145 w146 w147 w148 w149 w[150 w151] w152 w153 w154 w155 w156 w157 w158 w159 w160 w161 w162 w163 w164 w165 w166 w167 w168 w169 w170 w171…",
		},
		{
			"the end", words(100), "w198",
			"…w169 w170 w171 w172 w173 w174 w175 w176 w177 w178 w179 w180 w181 w182 w183 w184 w185 w186 w187 w188 w189 w190 w191 w192 w193 w194 w195 w196 w197 [w198] w199",
		},
		{
			"the end, without a blank", strings.TrimSpace(words(100)), "w190",
			"…w169 w170 w171 w172 w173 w174 w175 w176 w177 w178 w179 w180 w181 w182 w183 w184 w185 w186 w187 w188 w189 [w190] w191 w192 w193 w194 w195 w196 w197 w198 w199",
		},
		{
			"the end, before what is not shown", strings.TrimSpace(words(100)) + "\x00", "w190",
			"…w169 w170 w171 w172 w173 w174 w175 w176 w177 w178 w179 w180 w181 w182 w183 w184 w185 w186 w187 w188 w189 [w190] w191 w192 w193 w194 w195 w196 w197 w198 w199",
		},
		{"no blanks", long + "Y" + long, "y", "…" + strings.Repeat("x", 52) + "[Y]" + strings.Repeat("x", 105) + "…"},
		{"longer than a snippet", long, long, "[" + strings.Repeat("x", 158) + "]…"},
		{
			"longer than a snippet, of words", "- " + words(100), words(99),
			"…[w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130]…",
		},
		{"a match that is cut off", strings.Repeat("abcdefghijklmnopqrst", 9), "ABCDEFGHIJKLMNOPQRST", strings.Repeat("[abcdefghijklmnopqrst]", 7) + "[abcdefghijklmnopqr]…"},
		{"ten matches at most", strings.Repeat("abc", 100), "abc", strings.Repeat("[abc]", 10) + strings.Repeat("abc", 42) + "ab…"},
	} {
		if got := marked(snippetOf(c.body, c.q)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSnippetTakesNoMoreMatchesThanItShows(t *testing.T) {
	t.Parallel()
	body, taken := strings.Repeat("word ", 1000), 0
	NewSnippet(body, MaxSnippet, func(yield func(fold.Match) bool) {
		for m := range fold.Locate(body, "word") {
			if taken++; !yield(m) {
				return
			}
		}
	})
	if taken > MaxSnippet {
		t.Errorf("%d matches were taken", taken)
	}
}

// flat returns the text of a snippet that shows the whole body.
func flat(body string) string {
	shown := strings.Map(func(r rune) rune {
		if !unicode.IsSpace(r) && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(body, "\ufffd"))
	return strings.Join(strings.Fields(shown), " ")
}

// checkSnippet checks that the snippet of a body has the documented properties.
func checkSnippet(t *testing.T, body, q string) {
	t.Helper()
	for _, length := range []int{MinSnippet, 100, MaxSnippet} {
		checkLength(t, body, q, length)
	}
}

func checkLength(t *testing.T, body, q string, length int) {
	t.Helper()
	s := shortSnippet(body, q, length)
	fail := func(what string) {
		t.Helper()
		t.Errorf("%q in %q: %s: %q %v", q, body, what, s.Text, s.Matches)
	}
	whole := flat(body)
	inner := strings.TrimSuffix(strings.TrimPrefix(s.Text, ellipsis), ellipsis)
	switch {
	case utf8.RuneCountInString(s.Text) > length:
		fail("too long")
	case inner != strings.TrimSpace(inner) || !strings.Contains(whole, inner):
		fail("no stretch of the body")
	case inner == "" && whole != "" && !strings.Contains(whole, ellipsis):
		fail("it shows nothing")
	case utf8.RuneCountInString(whole) <= length && s.Text != whole:
		fail("cut without need")
	case !strings.Contains(body, ellipsis) && strings.HasPrefix(s.Text, ellipsis) && strings.LastIndex(whole, inner) == 0:
		fail("nothing was cut off before")
	case !strings.Contains(body, ellipsis) && strings.HasSuffix(s.Text, ellipsis) && strings.Index(whole, inner) == len(whole)-len(inner):
		fail("nothing was cut off after")
	}
	checkMatches(t, s, body, q)
}

// checkMatches checks that the matches are in order and within the text, and that each
// match that is shown in full equals q.
func checkMatches(t *testing.T, s Snippet, body, q string) {
	t.Helper()
	text, end := []rune(s.Text), 0
	for _, m := range s.Matches {
		if len(m) != 2 || m[0] < end || m[1] <= m[0] || m[1] > len(text) {
			t.Fatalf("%q in %q: matches %v in %q", q, body, s.Matches, s.Text)
		}
		end = m[1]
		cut := m[1] == len(text)-1 && text[m[1]] == []rune(ellipsis)[0]
		if covered := fold.String(string(text[m[0]:m[1]])); !cut && flat(q) == q && !strings.Contains(covered, fold.String(q)) {
			t.Errorf("%q in %q: %q is marked in %q", q, body, covered, s.Text)
		}
	}
	_, found := first(body, q)
	if shows := strings.ContainsFunc(q, visible); shows && found != (len(s.Matches) > 0) {
		t.Errorf("%q in %q: found %v, matches %v in %q", q, body, found, s.Matches, s.Text)
	}
}

func first(body, q string) (fold.Match, bool) {
	for m := range fold.Locate(body, q) {
		return m, true
	}
	return fold.Match{}, false
}

// TestSnippetOfAnything uses short and long bodies of a few special characters, so that
// the special cases occur close together.
func TestSnippetOfAnything(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 11))
	alphabet := []rune("ab ß\nİ\x00é\u202eﬃ 用")
	write := func(n int) string {
		text := make([]rune, n)
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(text)
	}
	for range 5000 {
		checkSnippet(t, write(random.IntN(400)), write(random.IntN(4)))
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("Der Weg zur Straße.", "strasse")
	f.Add(words(80), "w150")
	f.Add(strings.Repeat("x", 200)+" \x00 y", "Y")
	f.Fuzz(func(t *testing.T, body, q string) {
		body, q = strings.ToValidUTF8(body, "?"), strings.ToValidUTF8(q, "?")
		checkSnippet(t, body, q)
		checkSnippet(t, strings.Repeat(body, 1+300/(len(body)+1)), q)
	})
}

func TestSnippetAsJSON(t *testing.T) {
	t.Parallel()
	for _, s := range []Snippet{{"", [][]int{}}, {"\"<a>\" …", [][]int{{0, 2}, {10, 160}}}, snippetOf("a a", "a")} {
		got := string(s.AppendJSON(nil))
		if want := string(jsonscan.MustEncode(s)); got != want || !json.Valid([]byte(got)) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func BenchmarkSnippet(b *testing.B) {
	body := strings.Repeat("Either handle an error or return it, never both.\n", 36) + "Quux."
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		snippetOf(body, "quux")
	}
}
