package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

func TestMarkdownBody(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, content, body, said string }{
		{"no front matter", "# A\r\n\r\nb  \n", "# A\r\n\r\nb  \n", ""},
		{"front matter", "---\npriority: 1\n---\n# A\n", "# A\n", ""},
		{"blank line after it", "---\npriority: 1\n---\n\n# A", "\n# A", ""},
		{"CRLF", "---\r\npriority: 1\r\n---\r\n# A\r\n", "# A\r\n", ""},
		{"CR alone", "---\rpriority: 1\r---\r# A\r", "", `1: error: the lines end in a lone carriage return, so front matter would be read as body: save the file with \n or \r\n line endings`},
		{"CR alone after it", "---\npriority: 1\n---\n# A\rb\r", "# A\rb\r", ""},
		{"CR alone without it", "# A\r\rb\r", "# A\r\rb\r", ""},
		{"CR alone within it", "---\r\npriority: 1\rowner: me\r\n---\r\nb", "b", ""},
		{"blanks after the fences", "--- \t\npriority: 1\n---  \nb", "b", ""},
		{"empty front matter", "---\n---\nb", "b", ""},
		{"front matter of comments", "---\n# owner: me\n\n---\nb", "b", ""},
		{"front matter that says null", "---\n~\n---\nb", "b", ""},
		{"byte order mark", "\uFEFF---\npriority: 1\n---\nb", "b", ""},
		{"byte order mark alone", "\uFEFFb", "b", ""},
		{"only one is a mark", "\uFEFF\uFEFFb", "\uFEFFb", ""},
		{"rules in the body", "---\npriority: 1\n---\na\n---\nb\n", "a\n---\nb\n", ""},
		{"front matter after a blank line", "\n---\npriority: 1\n---\n", "", "1: error: front matter must begin on the first line: remove what is above it, or begin the file with another line"},
		{"front matter without its first line", "requirement: mandatory\ncategories:\n  - go\n- http\n---\nb", "", `1: error: the front matter has no beginning: put a line "---" above it`},
		{"an agent's without its first line", "\uFEFFapplyTo: a.go\r\n---\r\nb", "", `1: error: the front matter has no beginning: put a line "---" above it`},
		{"a heading that is underlined", "Note: b\n---\nb", "Note: b\n---\nb", ""},
		{"a text above a rule", "title: a\nand more\n---\nb", "title: a\nand more\n---\nb", ""},
		{"a field alone", "priority: 1\n", "priority: 1\n", ""},
		{"rules after a blank line", "\n---\nsome: text\n", "\n---\nsome: text\n", ""},
		{"rules around a text", "\n---\na text\n---\n", "\n---\na text\n---\n", ""},
		{"four dashes", "----\na\n", "----\na\n", ""},
		{"indented", " ---\na\n", " ---\na\n", ""},

		{"empty", "", "", " error: the file is empty: write the instruction, or remove the file"},
		{"only front matter", "---\npriority: 1\n---\n", "", "4: error: body: empty; write the instruction"},
		{"only front matter, no newline", "---\npriority: 1\n---", "", "3: error: body: empty; write the instruction"},
		{"only blanks", "---\npriority: 1\n---\n\n \n", "", "4: error: body: empty; write the instruction"},
		{"never closed", "---\npriority: 1\n# A\n", "", `1: error: the front matter that begins here never ends: end it with a line "---", or begin the file with another line`},
		{"only a fence", "---", "", `1: error: the front matter that begins here never ends: end it with a line "---", or begin the file with another line`},
		{"closed by an indented fence", "---\na: |\n  ---\n", "", `1: error: the front matter that begins here never ends: end it with a line "---", or begin the file with another line`},
		{"a thematic break above a heading", "---\n# A\n", "---\n# A\n", ""},
		{"a thematic break", "---\n# A\n\nb\n", "---\n# A\n\nb\n", ""},
		{"thematic breaks around a text", "---\nsome text\n---\nb", "---\nsome text\n---\nb", ""},
		{"thematic breaks around a list", "---\n- a\n---\nb", "---\n- a\n---\nb", ""},
		{"TOML", "+++\npriority = 1\ntitle = 'T'\n[extensions]\na = [1, 'b']\n+++\nb\n", "b\n", ""},
		{"invalid TOML", "+++\na = 1\npriority: 1\n+++\nb", "", "3: error: this is not valid TOML: write each name once, as name = value, and strings in quotes"},
		{"TOML that never ends", "+++\na = 1\n", "", `1: error: the front matter that begins here never ends: end it with a line "+++", or begin the file with another line`},
		{"without its first line, with a comment", "name: a\n# tools are listed\ntools: ['x']\n\n---\nb", "", `1: error: the front matter has no beginning: put a line "---" above it`},
		{"a text with a thematic break", "name: a\n\n# Heading\n\n---\nb", "name: a\n\n# Heading\n\n---\nb", ""},
		{"an unquoted glob", "---\npriority: 1\nglobs: **/*\n---\nb", "b", `3: warning: the front matter is not valid YAML and is read line by line: the value begins with *, which has a meaning in YAML; put a value with special characters in quotes`},
		{"an unquoted colon", "---\ntitle: a: b\n---\nb", "b", `2: warning: the front matter is not valid YAML and is read line by line: the value contains a colon; put a value with special characters in quotes`},
		{"a tab", "---\npriority: 1\n\towner: x\n---\nb", "b", `3: warning: the front matter is not valid YAML and is read line by line: the line is indented with a tab; put a value with special characters in quotes`},
		{"a control character", "---\nowner: \x01\n---\nb", "", `2: error: the front matter is not valid YAML: the line has a control character; put a value with special characters in quotes`},
		{"two documents", "---\na: 1\n...\nb: 2\n---\nb", "", `4: error: the front matter holds a second YAML document: keep one`},
		{"a name twice", "---\nowner: a\nx: 1\nowner: b\n---\nb", "", "4: error: owner: already set on line 2: keep one of the two\n3: warning: unknown field \"x\": kept in extensions"},
		{"body as a field", "---\nowner: a\nbody: b\n---\nc", "", "3: error: " + errBody.Error()},
		{"merge key", "---\n<<: {a: 1}\n---\nc", "", "2: error: " + errMerge.Error()},
		{"a name that is a list", "---\n? [a]\n: 1\n---\nc", "", "2: error: " + errKey.Error()},
		{"an alias of itself", "---\na: &a [*a]\n---\nc", "", "2: error: " + tooDeep},
		{"invalid UTF-8", "---\nowner: a\n---\nc\xff", "", "4: error: the file is not valid UTF-8: save it as UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := interpretText("x.md", tt.content)
			if got := said(r); got != tt.said {
				t.Errorf("said\n%s\nwant\n%s", got, tt.said)
			}
			switch {
			case r.Entry != nil && r.Entry.Body.Text() != tt.body:
				t.Errorf("body is %q, want %q", r.Entry.Body.Text(), tt.body)
			case (r.Entry != nil) != (tt.body != ""):
				t.Errorf("entry is %v", r.Entry)
			}
		})
	}
}

// A few lines whose aliases expand to more than the memory can hold are rejected.
// Otherwise this test would not end.
func TestAliasBomb(t *testing.T) {
	t.Parallel()
	for _, leaf := range []string{"[x, x]", "{a: x}", "[]", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"} {
		var front strings.Builder
		fmt.Fprintf(&front, "a0: &a0 %s", leaf)
		for i := 1; i <= 40; i++ {
			fmt.Fprintf(&front, "\na%d: &a%d [*a%d, *a%d, *a%d, *a%d]", i, i, i-1, i-1, i-1, i-1)
		}
		r := interpretText("x.md", markdownWith(front.String()))
		if r.Entry != nil || !strings.Contains(said(r), errExpansion.Error()) {
			t.Errorf("%s: said %s", leaf, said(r))
		}
	}
	// Many aliases of one long text, each within bounds.
	front := "a: &a " + strings.Repeat("x", 50_000) + strings.Repeat("\nb: *a", 1000)
	if r := interpretText("x.md", markdownWith(front)); !strings.Contains(said(r), errExpansion.Error()) {
		t.Errorf("said %.200s", said(r))
	}
}

func TestDefaultTitle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 201)
	tests := []struct{ body, want string }{
		{"# One\n# Two", "One"},
		{"text\n\n## Two ##  \n", "Two"},
		{"###### Six", "Six"},
		{"####### Seven\n# One", "One"},
		{"#NoBlank\n\n#\tTab", "Tab"},
		{"# C#", "C#"},
		{"# C# #", "C#"},
		{"# ##", "name"},
		{"#\n# Next", "Next"},
		{"   # Indented", "Indented"},
		{"    # Code\n\n# Real", "Real"},
		{"\t# Code\n", "name"},
		{"# `code` and *more*\r\n", "`code` and *more*"},
		{"Setext\n===\n", "Setext"},
		{"Setext\r\n---\r\n", "Setext"},
		{"Two\nlines\n===", "Two lines"},
		{"**Bold**\n---", "**Bold**"},
		{"a\n\n===\n", "name"},
		{"---\n\nx", "name"},
		{"- item\n---\n# H", "H"},
		{"- item\nmore of it\n---\n# H", "H"},
		{"1. item\n---\n# H", "H"},
		{"> quote\n---\n# H", "H"},
		{"| a | b |\n---\n# H", "H"},
		{"<div>\n---\n# H", "H"},
		{"* * *\nP\n---\n", "P"},
		{"```\n# Code\n```\n# Real", "Real"},
		{"````md\n```\n# Code\n````\n# Real", "Real"},
		{"~~~\n# Code\n```\n~~~~\n# Real", "Real"},
		{"```\n# never closed", "name"},
		{"``` a`b\n# Real", "Real"},
		{"``\n# Real", "Real"},
		{"<!-- # No -->\n# Real", "Real"},
		{"<!--\n# No\n-->\n# Real", "Real"},
		{"no heading", "name"},
		{"# " + long, long[:400]},
		{strings.Repeat("ä\n", 200_000) + "===", strings.Repeat("ä ", 100)}, // must not take long
	}
	for _, tt := range tests {
		if got := cutTitle(defaultTitle(tt.body, "dir/name.md")); got != tt.want {
			t.Errorf("%q: title %q, want %q", tt.body, got, tt.want)
		}
	}
	if got := defaultTitle("x", "v1.2 Notes.MD"); got != "v1.2 Notes" {
		t.Errorf("title %q", got)
	}
}

func TestDefaultID(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, id, said string }{
		{"a.md", "a", ""},
		{"Go/Error Handling.v2.MD", "go-error-handling-v2", ""},
		{"a/b_c-d/e.md", "a-b_c-d-e", ""},
		{"größe.md", "grosse", ""},
		{"Überblick (v2).md", "uberblick-v2", ""},
		{"naïve/Ærø & Łódź.md", "naive-aero-lodz", ""},
		{"规则.md", "u89c4u5219", ""},
		{"a/b-.md", "a-b", ""},
		{"a--b.md", "a--b", ""},
		{"100%.md", "100", ""},
		{strings.Repeat("a", 120) + ".md", strings.Repeat("a", 120), ""},
		{strings.Repeat("a", 121) + ".md", strings.Repeat("a", 111) + "-8f3ca0ef", ""},
		{"(!).md", "", `error: id: the path yields "", which is not a valid id: set id to ` + idForm},
	}
	for _, tt := range tests {
		r := interpretText(tt.path, "text")
		if got := saidAbout(r); got != tt.said {
			t.Errorf("%s: said %s, want %s", tt.path, got, tt.said)
		}
		if r.Entry != nil && r.Entry.ID != catalog.ID(tt.id) || (r.Entry == nil) != (tt.id == "") {
			t.Errorf("%s: entry %v, want id %s", tt.path, r.Entry, tt.id)
		}
	}
	if r := interpretText("größe.md", markdownWith("id: size")); r.Entry == nil || r.Entry.ID != "size" {
		t.Errorf("said %s", said(r))
	}
}

// TestFieldsThatAreNoYAML checks that an agent's own way to write a field is only a note.
func TestFieldsThatAreNoYAML(t *testing.T) {
	t.Parallel()
	for path, front := range map[string]string{
		".claude/commands/a.md": "description: Fixes it.\nargument-hint: [issue] [priority]\n",
		".cursorrules":          "globs: **/*.ts\n",
	} {
		place, ok := agents.At(path)
		o := Decode(File{Path: path, Data: []byte("---\n" + front + "---\nText.\n"), Modified: modified, Place: &place})
		if !ok || len(o.Diagnostics) == 0 || slices.ContainsFunc(o.Diagnostics, func(d catalog.Diagnostic) bool { return d.Severity != catalog.SeverityNote }) {
			t.Errorf("%s: %v", path, o.Diagnostics)
		}
	}
}
