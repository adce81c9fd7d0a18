package format

import (
	"reflect"
	"strings"
	"testing"

	"instruction-catalog/catalog/frontmatter"
)

func TestLenientFrontMatter(t *testing.T) {
	t.Parallel()
	for front, want := range map[string][]field{
		"globs: **/*\n":                        {{"globs", value{kind: text, text: "**/*"}, 2}},
		"owner: @team\r\npriority: 7\r\n":      {{"owner", value{kind: text, text: "@team"}, 2}, {"priority", value{kind: number, text: "7"}, 3}},
		"description: Note: x\n# y: z\n":       {{"description", value{kind: text, text: "Note: x"}, 2}},
		"description:\tNote: x\t\n":            {{"description", value{kind: text, text: "Note: x"}, 2}},
		"globs: [*.ts, *.go]\n":                {{"globs", value{kind: text, text: "[*.ts, *.go]"}, 2}},
		"a: @x\nalwaysApply: true\nb:\nc: ~\n": {{"a", value{kind: text, text: "@x"}, 2}, {"alwaysApply", value{kind: boolean, text: "true"}, 3}, {"b", value{}, 4}, {"c", value{}, 5}},
		"a: @x\nb:\n  - c\n\n- d: e\nf: g\n":   nil, // YAML rejects the list, too
		"a: @x\nb:\n  - c\n  - d\nf: |\n  g\n": {{"a", value{kind: text, text: "@x"}, 2}, {"b", value{kind: list, text: `["c","d"]`}, 3}, {"f", value{kind: text, text: "g\n"}, 6}},
		"a: 1\n\tb: @x\n":                      {{"a", value{kind: number, text: "1"}, 2}, {"b", value{kind: text, text: "@x"}, 3}},
		"a:\n\t- b\n\t- c\n":                   {{"a", value{kind: list, text: `["b","c"]`}, 2}},
		"a: @x\n  y\n":                         nil, // it is unclear which line is the value
		"a: @x\nb: c\n\"d\": e\n":              nil, // agents do not read a quoted name
		"a: @x\nbody: @y\n":                    nil, // body is not a field: it is the text below
		"a: @x\n- b\n":                         nil,
		"a: @x\nb:c\n":                         nil,
		"a: @x\nb: \x01\n":                     nil,
	} {
		var d document
		if ok := d.parseLenient(front); ok != (want != nil) || !reflect.DeepEqual(d.fields, want) {
			t.Errorf("%q: %v, got %+v, want %+v", front, ok, d.fields, want)
		}
	}
}

// FuzzLenientFrontMatter checks that every name at the start of a line is read as a
// field, and nothing else.
func FuzzLenientFrontMatter(f *testing.F) {
	for _, front := range []string{"globs: **/*\nowner: @x\n", "a: @\n\tb\n", "a: *b\nc: |\n d\n  e: *f\n"} {
		f.Add(front)
	}
	for _, front := range []string{"a: b: c\n", "a: [b, [c]]\n", "a: b\n- c\n", "a: \"\\u0041\"\n", "a: |\n  b\n", "a: &b c\n", "a:\n  - b\n - c\n", "\"a\": b\n", "a: b\rc\n"} {
		f.Add(front)
	}
	f.Fuzz(func(t *testing.T, front string) {
		var d document
		if !d.parseLenient(front) {
			return
		}
		for i, line := range strings.Split(front, "\n") {
			read := len(d.fields) > 0 && d.fields[0].line == frontLine+i
			if starts := line != "" && frontmatter.IsLetter(line[0]); starts != read && !strings.HasPrefix(line, "\t") {
				t.Fatalf("%q: line %d begins with a name: %v, it was read: %v", front, i, starts, read)
			}
			if read {
				d.fields = d.fields[1:]
			}
		}
	})
}
