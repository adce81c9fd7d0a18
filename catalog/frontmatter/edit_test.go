package frontmatter

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestSetText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ front, text, want string }{
		"nothing there":       {"", "New", "title: New\n"},
		"comments only":       {"# mine\n", "New", "# mine\ntitle: New\n"},
		"another field":       {"b: 1 # one\n\n# end\n", "New", "b: 1 # one\n\n# end\ntitle: New\n"},
		"plain":               {"a: 1\ntitle: Old   # why\nb: 2\n", "New", "a: 1\ntitle: New   # why\nb: 2\n"},
		"double quotes":       {"title: \"Old \\\" one\" # why\n", "New", "title: \"New\" # why\n"},
		"single quotes":       {"title: 'It''s'\n", "It's 2", "title: 'It''s 2'\n"},
		"needs double quotes": {"title: 'Old'\n", "a\nb", "title: \"a\\nb\"\n"},
		"over two lines":      {"title: Old\n  and long\nb: 1\n", "New", "title: New\nb: 1\n"},
		"over two and quoted": {"title: \"Old\n  and long\" # x\nb: 1\n", "New", "title: \"New\" # x\nb: 1\n"},
		"literal":             {"title: |\n  Old\n  # no comment\n\n# one\nb: 1\n", "New", "title: New\n\n# one\nb: 1\n"},
		"empty":               {"title:\nb: 1\n", "New", "title: New\nb: 1\n"},
		"empty with comment":  {"title: # to do\nb: 1\n", "New", "title: New # to do\nb: 1\n"},
		"null":                {"title: ~\n", "New", "title: New\n"},
		"a list":              {"title:\n  - a\n  - b\nb: 1\n", "New", "title: New\nb: 1\n"},
		"anchor, unused":      {"title: &t t\nb: 1\n", "New", "title: New\nb: 1\n"},
		"CRLF":                {"a: 1\r\ntitle: Old\r\n", "New", "a: 1\r\ntitle: New\r\n"},
		"CRLF, added":         {"a: 1\r\n", "New", "a: 1\r\ntitle: New\r\n"},
		"braces":              {"{a: 1, title: Old, b: 2}\n", "New", "{a: 1, title: New, b: 2}\n"},
		"braces, added":       {"{a: 1}\n", "New", "{title: New, a: 1}\n"},
		"empty braces":        {"{}\n", "New", "{title: New}\n"},
		"indented":            {"  a: 1\n", "New", "  a: 1\n  title: New\n"},
		"quoted name":         {"\"title\": Old\n", "New", "\"title\": New\n"},
		"odd line ends":       {"a: \"x\u2028y\"\ntitle: Old\n", "New", "a: \"x\u2028y\"\ntitle: New\n"},
		"wide letters before": {"{ä: 😀, title: Old}\n", "New", "{ä: 😀, title: New}\n"},
		"within a longer one": {"subtitle: a\ntitle: b\n", "New", "subtitle: a\ntitle: New\n"},
		"nested alike":        {"x:\n  title: inner\ntitle: b\n", "New", "x:\n  title: inner\ntitle: New\n"},
		"unchanged":           {"title: Same\n", "Same", "title: Same\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := SetText([]byte(c.front), "\n", "title", c.text)
			if string(got) != c.want || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestSetList(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ front, items, want string }{
		"nothing there":    {"", "a b", "tags: [a, b]\n"},
		"a scalar":         {"tags: a # x\n", "a b", "tags: [a, b] # x\n"},
		"brackets":         {"tags: ['a', \"b\", c] # x\n", "a c d", "tags: ['a', c, d] # x\n"},
		"brackets, lines":  {"tags: [\n  'a',\n  b,\n]\nb: 1\n", "b", "tags: [b]\nb: 1\n"},
		"empty brackets":   {"tags: []\n", "a", "tags: [a]\n"},
		"emptied":          {"tags: [a]\n", "", "tags: []\n"},
		"comment, emptied": {"a: 1\ntags:  # mine\n- b # x\n# end\nz: 1\n", "", "a: 1\ntags: []  # mine\n# end\nz: 1\n"},
		"lines":            {"tags:\n  - 'a' # first\n  # between\n  - b\nx: 1\n", "a c", "tags:\n  - 'a' # first\n  # between\n  - c\nx: 1\n"},
		"lines, one added": {"tags:\n- a\n- b\nx: 1\n", "z a b c", "tags:\n- z\n- a\n- b\n- c\nx: 1\n"},
		"lines, reordered": {"tags:\n- a\n- b\n", "b a", "tags:\n- b\n- a\n"},
		"lines, emptied":   {"tags:\n- a\n- b\nx: 1\n", "", "tags: []\nx: 1\n"},
		"CRLF":             {"tags:\r\n  - a\r\nx: 1\r\n", "a b", "tags:\r\n  - a\r\n  - b\r\nx: 1\r\n"},
		"no line end":      {"tags:\n  - a", "a b", "tags:\n  - a\n  - b\n"},
		"a number":         {"tags:\n  - 2024\n", "2024 007", "tags:\n  - 2024\n  - \"007\"\n"},
		"empty":            {"tags:\nx: 1\n", "a", "tags: [a]\nx: 1\n"},
		"text of lines":    {"tags:\n  - |\n    a\n    b\n  - c\n", "c", "tags:\n  - c\n"},
		"a map in it":      {"tags:\n  - {a: b}\n  - c\nx: 1\n", "c d", "tags:\n  - c\n  - d\nx: 1\n"},
		"a list in it":     {"tags:\n  - - a\n    - b\n  - c\n", "c", "tags:\n  - c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := SetList([]byte(c.front), "\n", "tags", strings.Fields(c.items))
			if string(got) != c.want || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// TestUnreadable checks that an edit fails if it cannot change the value alone.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, front := range []string{
		"title: [\n", "a: b: c\n", "\ta: 1\n", "just text\n", "- a\n", "a: 1\n...\nb: 2\n", "a: \xff\n",
		"title: &t Old\nb: *t\n", "title: One\ntitle: Two\n\"title\": [\n", "42\n",
	} {
		if got, err := SetText([]byte(front), "\n", "title", "New"); !errors.Is(err, ErrUnreadable) || got != nil {
			t.Errorf("%q: got %q, %v", front, got, err)
		}
	}
}

// TestQuote checks that every text reads back.
func TestQuote(t *testing.T) {
	t.Parallel()
	for _, text := range awkward {
		for _, front := range []string{"", "title: Old\n", "title: 'Old'\n", "title: \"Old\"\n", "{title: Old}\n"} {
			got, err := SetText([]byte(front), "\n", "title", text)
			if err != nil {
				t.Errorf("%q in %q: %v", text, front, err)
			} else if root, err := Parse(got); err != nil || !slices.Equal(texts(root.Content[1]), []string{text}) {
				t.Errorf("%q reads as %q, %v", text, got, err)
			}
		}
	}
	got, err := SetList(nil, "\n", "tags", awkward)
	if err != nil {
		t.Fatal(err)
	}
	if root, err := Parse(got); err != nil || !slices.Equal(texts(root.Content[1]), awkward) {
		t.Errorf("the list reads as %q, %v", got, err)
	}
}

var awkward = []string{
	"", " ", " a ", "123", "1e3", "0x1F", "007", "1:30", "2024-01-15", "true", "Yes", "NO", "null", "~", "NaN", ".inf", "=", "<<",
	"a: b", "a #b", "#a", "- a", "-", "---", "...", "? a", "[a]", "{a}", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a`", "a, b",
	`"quoted"`, "it's", `back\slash`, "tab\there", "line\nbreak", "cr\rlf\r\n", "\u0085", "\u2028", "\ufeffa", "\x00\x01\x7f",
	"😀 smile", "🇩🇪", "e\u0301", "é", "日本語 ノート", "عربى", "\u200d", "\uffff", "[[link]]", "a\n---\nb", "C++ & C#",
}

func FuzzSet(f *testing.F) {
	for _, front := range []string{
		"", "# x\n", "title: a # b\ntags: [a, 'b']\n", "tags:\n  - a # b\n  # c\n  - \"d\"\ntitle: |\n  x\n", "{title: a, tags: b}",
		"a: &x 1\ntitle: *x\n", "title:\ntags:\r\n- a\r\n", "? title\n: x\n",
	} {
		for _, text := range []string{"New", "a: b", "'"} {
			f.Add(front, text)
		}
	}
	f.Fuzz(func(t *testing.T, front, text string) {
		text = strings.ToValidUTF8(text, "?")
		for _, items := range [][]string{nil, {text}, {"title", text}} {
			var got []byte
			var err error
			if items == nil {
				items = []string{text}
				got, err = SetText([]byte(front), "\n", "title", text)
			} else {
				got, err = SetList([]byte(front), "\n", "title", items)
			}
			if err != nil {
				if !errors.Is(err, ErrUnreadable) {
					t.Fatal(err)
				}
				continue
			}
			check(t, front, string(got), items)
		}
	})
}

// check checks that only one range of bytes has changed, that the value reads back, and
// that no other field has changed.
func check(t *testing.T, front, got string, items []string) {
	t.Helper()
	old, err := Parse([]byte(front))
	if err != nil {
		t.Fatal(err)
	}
	if !readsBack(old, []byte(got), "title", items) {
		t.Errorf("%q in %q: got %q", items, front, got)
	}
	for line := range strings.Lines(front) {
		comment := strings.HasPrefix(line, "# ") && !strings.Contains(front, "|") && !strings.Contains(front, ">") &&
			!strings.ContainsAny(front, "\"'[{\r")
		if comment && !strings.Contains(got, line) {
			t.Errorf("%q in %q: the comment %q is gone: %q", items, front, line, got)
		}
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ front, want string }{
		{"", ""},
		{"a: 1\n", "a: 1\n"},
		{"a: 1\nx: 2 # why\n# b's\nb: 3", "a: 1\n# b's\nb: 3"},
		{"a: 1\r\nx:\r\n  - y # one\r\n  - z\r\nb: 3\r\n", "a: 1\r\nb: 3\r\n"},
		{"x: |\n  y\n\n  z\nb: 3\n", "b: 3\n"},
		{"x: [y,\n  z] # end\n", ""},
		{"a: 1\nx:\nb: 3\n", "a: 1\nb: 3\n"},
		{"x: \"y\"", ""},
		{"x: 1\nx: 2\n", "x: 2\n"},
	} {
		if got, err := Unset([]byte(tt.front), "x"); err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.front, got, err, tt.want)
		}
	}
	for _, front := range []string{"{x: 1, b: 2}\n", "x: &a 1\nb: *a\n", "x: [\n"} {
		if got, err := Unset([]byte(front), "x"); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%q: %q, %v", front, got, err)
		}
	}
}
