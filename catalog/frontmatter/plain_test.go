package frontmatter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// plainFronts can be read without the library.
var plainFronts = []string{
	"",
	"\n",
	"title: A title\npriority: 5\n",
	"title: A title\r\n\r\npriority: 5\r\n",
	"# why\ntitle:   A title  \n# because\nversion: one\n",
	"title: \"say no\"\nrationale: 'it: is # so'\ncategories: ['\"']\n",
	"title: Überprüfung der “Namen” 日本語 🙂\n",
	"title: an [odd] {one}, isn't it? yes:no\n",
	"categories: []\nteamIds: [ a, \"b c\", 'd' ]\n",
	"categories:\n  - go\n  - \"code review\"\nowner: x\n",
	"categories:\n- go\n- testing\n",
	"rationale:\nowner: x\n",
	"createdAt: 2024-06-26T08:38:00.000Z\nupdatedAt: 2024-06-26\n",
	"createdAt: 2024-06-26T08:38:00+02:00\n",
	"priority: 0\nversion: 10\nschemaVersion: 3\n",
	"title: a\ntitle: b\n",
	"categories:\n\n  - a\n",
	"truth: truey\nno: knot\n",
}

// otherFronts can only be read by the library.
var otherFronts = []string{
	"title: yes\n", "title: Null\n", "title: ~\n", "title: -1\n", "title: 0x1F\n", "title: 007\n", "title: 1e3\n", "title: .inf\n",
	"title: 12:30:45\n", "title: 1_000\n", "title: +1\n", "title: 2024-06\n", "title: 2024-06-26 08:38\n",
	"title: a: b\n", "title: a:\n", "title: a # b\n", "title: a\n  b\n", "title: a\n\n  b\n", "title: a\n- b\n",
	"title: \"a\n  b\"\n", "title: \"\\u0041\"\n", "title: \"a\" b\n", "title: 'it''s'\n", "title: 'a\n", "title: \"a\\\"\n",
	"title: |\n  text\n", "title: >-\n  text\n", "title: &a b\n", "title: *a\n", "title: !!str 5\n", "title: %a\n", "title: @a\n",
	"categories: [a, [b]]\n", "categories: [a,]\n", "categories: [a\n", "categories: [5]\n", "categories: [a: b]\n", "categories: [true]\n",
	"categories: [\"a, b\"]\n", "title: \"say \\\"no\\\"\"\n", "version: 1.0.0\n", "version: 1.5\n", "categories: [,]\n", "categories: [a]\n  b\n", "categories: {a: b}\n",
	"categories:\n  - a\n  b: c\n", "categories:\n  - a\n    b\n", "categories:\n  - a: b\n", "categories:\n  -\n",
	"categories:\n  - a\n - b\n", "extensions:\n  a: b\n", "<<: a\n", "? a\n", "a\n", "a:b\n", "- a\n", "... \n", "%YAML 1.2\n",
	" title: a\n", "title : a\n", "\"title\": a\n", "title:\ta\n", "title: a\tb\n", "title: a\u0085b\n", "title: a\u2028b\n", "title: a\rb\n",
	"title: \x01\n", "title: \uFEFFa\n", "# \x01\n", "title: a\n   \n", "título: a\n",
}

func TestPlainFrontMatter(t *testing.T) {
	t.Parallel()
	for _, front := range plainFronts {
		if !comparePlain(t, front) {
			t.Errorf("%q is left to the library", front)
		}
	}
	for _, front := range otherFronts {
		if comparePlain(t, front) {
			t.Errorf("%q is not left to the library", front)
		}
	}
}

// TestPlainFrontMatterAtRandom joins random elements of YAML.
func TestPlainFrontMatterAtRandom(t *testing.T) {
	t.Parallel()
	tokens := strings.Split(`a|b c|yes|null|title|categories|5|0|1.5|2024-06-26|T08:38:00Z|Ü| | |:|: |: |: |,|, |[|]|{|}|#| #|- |-|"|"|'|'|\\|\"|`+
		"\n|\n|\n|\n  |\n- |\n  - |\r\n|\t|&|*|!|>|%|?|~|.|<<|---|\u00A0|\u0085", "|")
	tokens = append(tokens, "|")
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 10_000 {
		var front strings.Builder
		for range random.IntN(12) {
			front.WriteString(tokens[random.IntN(len(tokens))])
		}
		for _, before := range []string{"", "title: ", "a: b\ncategories: [", "c:\n  - "} {
			if comparePlain(t, before+front.String()) {
				read++
			}
		}
	}
	if read < 1000 {
		t.Errorf("only %d were read without the library", read)
	}
}

// comparePlain compares the results of readPlain and the library. It reports whether
// readPlain returned one.
func comparePlain(t *testing.T, front string) bool {
	t.Helper()
	root, ok := readPlain(front)
	if !ok {
		return false
	}
	documents, err := loadAny([]byte(front))
	switch {
	case err != nil:
		t.Errorf("%q: the library says %v", front, err)
	case root == nil && len(documents) > 0, root != nil && len(documents) != 1:
		t.Errorf("%q: the library reads %d documents", front, len(documents))
	case root != nil && !same(root, documents[0]):
		t.Errorf("%q:\nread as    %s\nthe library %s", front, dump(root), dump(documents[0]))
	}
	return true
}

// same reports whether two nodes are equal for readers and editors.
func same(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.ShortTag() == b.ShortTag() && a.Value == b.Value && a.Style == b.Style &&
		a.Line == b.Line && a.Column == b.Column && slices.EqualFunc(a.Content, b.Content, same)
}

func dump(n *yaml.Node) string {
	text := fmt.Sprintf("%v %s %q style %v at %d:%d", n.Kind, n.ShortTag(), n.Value, n.Style, n.Line, n.Column)
	for _, child := range n.Content {
		text += "\n    " + dump(child)
	}
	return text
}

// FuzzPlain checks that readPlain agrees with the library.
func FuzzPlain(f *testing.F) {
	for _, front := range slices.Concat(plainFronts, otherFronts) {
		f.Add(front)
	}
	f.Fuzz(func(t *testing.T, front string) {
		if utf8.ValidString(front) { // other files are rejected earlier
			comparePlain(t, front)
		}
	})
}
