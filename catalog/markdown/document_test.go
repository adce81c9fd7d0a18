package markdown_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/markdown"
)

// told describes a document, with the bytes that each link names.
func told(file string) []string {
	var links []string
	for _, l := range markdown.Parse([]byte(file)).Links {
		target, fragment := string(l.Target.Of([]byte(file))), string(l.Fragment.Of([]byte(file)))
		said := fmt.Sprintf("%s %s", []string{"wiki", "inline", "reference"}[l.Form], target+fragment)
		if l.Name != target {
			said += " = " + l.Name
		}
		if l.Embed {
			said += " embedded"
		}
		if l.Quote != 0 {
			said += " in " + string(l.Quote)
		}
		if l.Angle {
			said += " in <>"
		}
		links = append(links, said)
	}
	return links
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file string
		want string // links, separated by "; "
	}{
		{"[[a]] and [[b/c.md]]", "wiki a; wiki b/c.md"},
		{"[[a|text]] [[a#h]] [[a#^block|x]] ![[a]]", "wiki a; wiki a#h; wiki a#^block; wiki a embedded"},
		{"[[ a ]]", "wiki a"},
		{"[[]] [[ ]] [[|x]] [[#h]] [[#^b|x]]", ""},
		{"| x | [[a\\|b]] |\n|---|---|\n| [[c\\|d]] | y |", "wiki a; wiki c"},
		{"`[[a]]` ``[[b]]`` \\[[c]] [\\[d]]", ""},
		{"```\n[[a]]\n```\n[[b]]\n~~~\n[[c]]", "wiki b"},
		{"x\n\n    [[a]]\n\n\t[[b]]\n", ""},
		{"[[a\nb]] [[a]", ""},
		{"[[[a]]]", "wiki a"},
		{"<!-- [[a]] --> <b title=\"[[b]]\"> [[c]]", ""},
		{"x <!-- [[a]] --> <b title=\"[[b]]\"> [[c]]", "wiki c"},
		{"> [[a]]\n> - [[b]]\n\n1. x\n   [[c]]", "wiki a; wiki b; wiki c"},
		{"# [[a]]\n\n[[b]]\n===", "wiki a; wiki b"},
		{"**[[a]]** _[[b]]_ ~~[[c]]~~", "wiki a; wiki b; wiki c"},

		{"[x](a.md) ![x](b.md)", "inline a.md; inline b.md embedded"},
		{"[x](../a/b.md#h \"title\") [x](<a b.md>)", "inline ../a/b.md#h; inline a b.md in <>"},
		{"[x](<a b.md#c d>)", "inline a b.md#c d in <>"},
		{"[x](a%20b.md) [x](a\\_b.md) [x](a&amp;b.md)", "inline a%20b.md = a b.md; inline a\\_b.md = a_b.md; inline a&amp;b.md = a&b.md"},
		{"[x](http://a/b.md) [x](mailto:a.md) [x](//h/a.md) [x]() [x](#h)", ""},
		{"[x](/a.md) [x](a.png) [x](a%20b)", "inline /a.md; inline a.png; inline a%20b = a b"},
		{"[x][r] [[w]] [r]\n\n[r]: a.md 'title'\n", "reference a.md; wiki w; reference a.md"},
		{"[[w]]\n\n> [r]: <a b.md>\n", "wiki w; reference a b.md in <>"},
		{"`[x](a.md)` [x]\\(a.md)", ""},
		{"[x `](a.md)` y](b.md)", "inline b.md"},
		{"-\t[x](a.md)\n\n\t\t[r]: b.md", "inline a.md"},
		{"-\tx\n\n\ty [x](a.md) [[b]]", "inline a.md; wiki b"},
		{"[a [[b]] c](d.md)", "inline d.md; wiki b"},
		{"[x](100%.md)", "inline 100%.md"},

		{"---\nup: \"[[a]]\"\nx: ['[[b|it''s]]', \"\\\"[[c]]\"]\ny: [[d]]\nz: \">[[e]]\"\n---\n[[f]]",
			"wiki a in \"; wiki b in '; wiki c in \"; wiki e in \"; wiki f"},
		{"---\nå: &x \"[[a]]\"\nb: *x\n\"[[key]]\": 1\n---\n", "wiki a in \""},
		{"---\na: \"[[a]]\n---\n[[b]]", "wiki b"}, // not YAML
		{"---\na: \"[[a]]\"\n", "wiki a"},         // no second fence: all body
		{"\uFEFF---\r\nup: \"[[a]]\"\r\n---\r\n[[b]]\r\n", "wiki a in \"; wiki b"},
	} {
		if got := strings.Join(told(tt.file), "; "); got != tt.want {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.file, got, tt.want)
		}
	}
}

func TestTitleTagsAndBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, title, tags, body string
		broken                  bool
	}{
		{file: "", title: "", body: ""},
		{file: "plain", body: "plain"},
		{file: "\uFEFFplain", body: "plain"},
		{file: "\n# A *b* `c_d` [[e|f]] [g](h.md) &amp; \\#\ny", title: "A b c_d f g & #", body: "\n# A *b* `c_d` [[e|f]] [g](h.md) &amp; \\#\ny"},
		{file: "x\n# A\n", body: "x\n# A\n"},
		{file: "> # A\n", body: "> # A\n"},
		{file: "1. *x*\n===\n", body: "1. *x*\n===\n"},
		{file: "a\nb\n===\n", title: "a b", body: "a\nb\n===\n"},
		{file: "#\n\n# 1. Two ##\n", body: "#\n\n# 1. Two ##\n"},
		{file: "# 1. Two ##\n", title: "1. Two", body: "# 1. Two ##\n"},
		{file: "## Two\n# One\n", body: "## Two\n# One\n"},
		{file: "```\n# no\n```\n# yes", body: "```\n# no\n```\n# yes"},
		{file: "---\ntitle: T\ntags: [a, b, a, B]\n---\n# H", title: "T", tags: "a,b,B", body: "# H"},
		{file: "---\ntitle: ' '\ntags: one\n---\n# H", title: "H", tags: "one", body: "# H"},
		{file: "---\ntitle:\ntags:\n---\n", body: ""},
		{file: "---\ntitle: 2024\ntags:\n- 1\n- true\n-\n- x: y\n---\nx", title: "2024", tags: "1,true", body: "x"},
		{file: "---\r\ntitle: \"a: b\"\r\n---\r\nx\r\n", title: "a: b", body: "x\r\n"},
		{file: "---\n---\n---\nx", body: "---\nx"},
		{file: "--- \ntitle: x\n---", title: "x", body: ""},
		{file: "----\na: b\n---\n", body: "----\na: b\n---\n"},
		{file: "---\ntitle: [\n---\n# H", title: "H", body: "# H", broken: true},
		{file: "---\n- a\n---\nx", body: "x", broken: true},
		{file: "---\na: b", body: "---\na: b"},
	} {
		d := markdown.Parse([]byte(tt.file))
		if d.Title != tt.title || strings.Join(d.Tags, ",") != tt.tags || string(d.Body.Of([]byte(tt.file))) != tt.body || (d.FrontError != nil) != tt.broken {
			t.Errorf("%q: title %q, tags %q, body %q, error %v", tt.file, d.Title, d.Tags, d.Body.Of([]byte(tt.file)), d.FrontError)
		}
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, front, all string }{
		{"---\ntags: a, b c\n---\n", "a b c", "a b c"},
		{"---\ntags: '#a, #b/c'\n---\n", "a b/c", "a b/c"},
		{"---\ntags: ['#a', b c]\n---\n", "a|b c", "a|b c"},
		{"---\ntag: a\n---\n", "a", "a"},
		{"---\ntag: [b]\ntags: [a]\n---\n", "b a", "b a"},
		{"---\ntags: [b]\n---\n#a #b text #c/d.", "b", "b a c/d"},
		{"#a\nb #c\n#d\n> #e\n>#f\n- #g\n", "", "a c d e f g"},
		{"# Heading #a\n## #b\n#c-d_e", "", "a b c-d_e"},
		{"(#a) [#b] {#c} x#d /#e *#f* \\#g &#104; ##i #1 #1a #a/ #ä #日本 #e\u0301x!", "", "a b c 1a ä 日本 e\u0301x"},
		{"`#a` ``` #b ``` [#c](d.md) ![#e](f.png) [[g#h]] [[#i]] <b x=\"#j\"> <http://k/#l> http://m/#n", "", ""},
		{"```\n#a\n```\n\n    #b\n\n<div>\n#c\n</div>\n\n#d", "", "d"},
	} {
		d := markdown.Parse([]byte(tt.file))
		sep := " "
		if strings.Contains(tt.front, "|") {
			sep = "|"
		}
		if front, all := strings.Join(d.FrontTags, sep), strings.Join(d.Tags, sep); front != tt.front || all != tt.all {
			t.Errorf("%q: front matter %q, want %q; all %q, want %q", tt.file, front, tt.front, all, tt.all)
		}
	}
}

func TestDuplicateTags(t *testing.T) {
	t.Parallel()
	d := markdown.Parse([]byte("---\ntags: [b, a, b, b, a]\n---\n"))
	if !slices.Equal(d.Tags, []string{"b", "a"}) || !slices.Equal(d.DuplicateTags, []string{"b", "a"}) {
		t.Errorf("%q, again %q", d.Tags, d.DuplicateTags)
	}
}

// TestLargeNotes checks that a body that is parsed in parts has the same links.
func TestLargeNotes(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	var want []string
	file.WriteString("---\nup: \"[[top]]\"\n---\n")
	want = append(want, "wiki top in \"")
	for i := 0; file.Len() < 2<<20; i++ {
		fmt.Fprintf(&file, "# Part %d\n\nTo [[n%d]]\nand\n[m](m%d.md).\n\n- item\n\n      [[no]]\n\n  - [[deep%d]]\n\n", i, i, i, i)
		fmt.Fprintf(&file, "%s\n[[no]]\n\n[[no]] `%s`\n%s\n> ```\n> [[no]]\n\n", "~~~~ x", "[[no]]", "~~~~~")
		want = append(want, fmt.Sprint("wiki n", i), fmt.Sprintf("inline m%d.md", i), fmt.Sprint("wiki deep", i))
	}
	file.WriteString("```\n" + strings.Repeat("[[no]]\n\n", 200_000))
	if got := told(file.String()); !slices.Equal(got, want) {
		t.Errorf("%d links, want %d", len(got), len(want))
	}
}

// TestUnendingLinks checks input that takes goldmark quadratic time.
func TestUnendingLinks(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"[a](", "[a](<b", "[", "![", "[[a", "[a]", "`a``"} {
		file := "[[first]]\n\n" + strings.Repeat(text, 30_000/len(text))
		if got := told(file); len(got) != 1 || got[0] != "wiki first" {
			t.Errorf("%q: %d links", text, len(got))
		}
	}
}

func TestManyLinks(t *testing.T) {
	t.Parallel()
	if n := len(told(strings.Repeat("[[a]] [b](b.md) ", 10_000))); n != 20_000 {
		t.Errorf("%d links", n)
	}
}

// TestOpenBrackets checks that a million unclosed brackets do not take too much memory.
func TestOpenBrackets(t *testing.T) {
	const size = 1_000_000
	text := "[a](a.md) " + strings.Repeat("! ", 20_000) + "[b](b.md) " + strings.Repeat("[", size) + "\n\n[c](c.md)\n"
	var d *markdown.Document
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d = markdown.Parse([]byte(text))
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 100*size {
		t.Errorf("%d bytes were allocated", spent)
	}
	if len(d.Links) != 3 {
		t.Errorf("links %v", d.Links)
	}
}

// TestBodiesThatAreNotParsed checks that a body is not parsed if that would take
// disproportionate time or memory. Its front matter is still parsed.
func TestBodiesThatAreNotParsed(t *testing.T) {
	t.Parallel()
	nested := "quotes and lists are nested too deeply"
	for name, tt := range map[string]struct{ body, says string }{
		"quotes on one line":    {strings.Repeat("> ", 80_000), nested},
		"lists on one line":     {strings.Repeat("- ", 80_000) + "a", nested},
		"lists line by line":    {deeper("- a\n", 300), nested},
		"quotes and lists":      {strings.Repeat("> 1. ", 200) + "a", nested},
		"blank lines in a list": {strings.Repeat("- ", 90) + "a\n" + strings.Repeat("\n", 50_000), nested},
		"too large":             {strings.Repeat("text\n", 1<<20), "larger than 4 MiB"},
	} {
		d := markdown.Parse([]byte("---\ntitle: T\ntags: [a]\nup: \"[[b]]\"\n---\n# H\n\n[[c]]\n\n" + tt.body))
		if d.BodyError == nil || !strings.Contains(d.BodyError.Error(), tt.says) || len(d.Links) > 0 || d.Title != "T" || len(d.Tags) != 1 {
			t.Errorf("%s: error %v, %d links, title %q, tags %q", name, d.BodyError, len(d.Links), d.Title, d.Tags)
		}
	}
	for name, body := range map[string]string{
		"quotes": strings.Repeat("> ", 50), "lists": deeper("- a\n", 40), "lists again and again": strings.Repeat(strings.Repeat("- ", 40)+"a\n", 1000),
		"loose lists": strings.Repeat("- a\n\n  - b\n\n    - c\n\n", 10_000), "long list": strings.Repeat("-\n", 100_000),
	} {
		if d := markdown.Parse([]byte("[[c]]\n\n" + body)); d.BodyError != nil || len(d.Links) != 1 {
			t.Errorf("%s: error %v, %d links", name, d.BodyError, len(d.Links))
		}
	}
}

// deeper repeats a line, each time indented by two more blanks.
func deeper(line string, times int) string {
	var text strings.Builder
	for i := range times {
		text.WriteString(strings.Repeat("  ", i) + line)
	}
	return text.String()
}

// TestLongParagraphs checks that the limits on paragraphs and headings affect nothing else.
func TestLongParagraphs(t *testing.T) {
	t.Parallel()
	if n := len(told(strings.Repeat("a [[b]] and [c](d.md)\n", 5000))); n != 10_000 {
		t.Errorf("%d links", n)
	}
	if n := len(told("> - x\n" + strings.Repeat("    a [[b]]\n", 5000))); n != 5000 {
		t.Errorf("%d links in a quote", n)
	}
	long := "# *a* " + strings.Repeat("*b_", 100_000) + "\n\n[[c]]"
	if d := markdown.Parse([]byte(long)); !strings.HasPrefix(d.Title, "a ") || len(d.Title) > 4<<10 || len(d.Links) != 1 {
		t.Errorf("title of %d bytes, %d links", len(d.Title), len(d.Links))
	}
	d := markdown.Parse([]byte("---\ntitle: T\n" + strings.Repeat("# c\n", 20_000) + "---\n[[c]]"))
	if d.FrontError == nil || !strings.Contains(d.FrontError.Error(), "64 KiB") || d.Title != "" || len(d.Links) != 1 {
		t.Errorf("front matter of 80 kB: %v, title %q, %d links", d.FrontError, d.Title, len(d.Links))
	}
}
