package frontmatter

import (
	"errors"
	"testing"
)

// TestSyntaxError checks that a syntax error has its line and a text of this package, not
// the text of the library.
func TestSyntaxError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		front string
		line  int
		text  string
	}{
		{"globs: **/*\n", 1, "the value begins with *, which has a meaning in YAML"},
		{"a: 1\nowner: @team\n", 2, "the value begins with @, which has a meaning in YAML"},
		{"tags:\n  - `x`\n", 2, "the value begins with `, which has a meaning in YAML"},
		{"title: a: b\n", 1, "the value contains a colon"},
		{"a: 1\n\tb: 2\n", 2, "the line is indented with a tab"},
		{"a: \x01\n", 1, "the line has a control character"},
		{"a: \"b\" c\n", 1, `the value begins with ", and what follows does not fit`},
		{"a: \"b\nc: d\n", 3, "a quotation mark or a bracket is not closed"},
		{"a: \"1\"\n b\n", 2, "the line does not continue what is above it"},
		{"- a\n", 1, ErrNoFields.Error()},
		{"a: 1\n---\nb: 1\n", 3, ErrSecondDocument.Error()},
	} {
		_, err := Parse([]byte(tt.front))
		if e, ok := errors.AsType[*Error](err); !ok || e.Line != tt.line || e.Error() != tt.text {
			t.Errorf("%q: %#v %v", tt.front, e, err)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, front, body string
		found, closed     bool
	}{
		{"", "", "", false, false},
		{"a\n---\n", "", "a\n---\n", false, false},
		{"---", "", "", true, false},
		{"---\na: 1\n", "", "", true, false},
		{"---\n---", "", "", true, true},
		{"--- \r\na: 1\r\n---\t\r\nb", "a: 1\r\n", "b", true, true},
		{"----\n---\n", "", "----\n---\n", false, false},
	} {
		front, body, found := Cut([]byte(tt.file))
		if string(front) != tt.front || string(body) != tt.body || found != tt.found || (front != nil) != tt.closed {
			t.Errorf("%q: %q, %q, %t", tt.file, front, body, found)
		}
	}
}
