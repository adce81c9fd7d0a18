package source

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// plainFronts are read without the library.
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
	"truth: truey\nno: knot\n",
}

// otherFronts mean what only the library knows.
var otherFronts = []string{
	"title: yes\n", "title: Null\n", "title: ~\n", "title: -1\n", "title: 0x1F\n", "title: 007\n", "title: 1e3\n", "title: .inf\n",
	"title: 12:30:45\n", "title: 1_000\n", "title: +1\n", "title: 2024-06\n", "title: 2024-06-26 08:38\n",
	"title: a: b\n", "title: a:\n", "title: a # b\n", "title: a\n  b\n", "title: a\n\n  b\n", "title: a\n- b\n",
	"title: \"a\n  b\"\n", "title: \"\\u0041\"\n", "title: \"a\" b\n", "title: 'it''s'\n", "title: 'a\n", "title: \"a\\\"\n",
	"title: |\n  text\n", "title: >-\n  text\n", "title: &a b\n", "title: *a\n", "title: !!str 5\n", "title: %a\n", "title: @a\n",
	"categories: [a, [b]]\n", "categories: [a,]\n", "categories: [a\n", "categories: [5]\n", "categories: [a: b]\n", "categories: [true]\n",
	"categories: [\"a, b\"]\n", "title: \"say \\\"no\\\"\"\n", "version: 1.0.0\n", "version: 1.5\n", "categories: [,]\n", "categories: [a]\n  b\n", "categories: {a: b}\n",
	"categories:\n  - a\n  b: c\n", "categories:\n  - a\n    b\n", "categories:\n  - a: b\n", "categories:\n  -\n", "categories:\n\n  - a\n",
	"categories:\n  - a\n - b\n", "extensions:\n  a: b\n", "body: a\n", "<<: a\n", "? a\n", "a\n", "a:b\n", "- a\n", "... \n", "%YAML 1.2\n",
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

// TestPlainFrontMatterAtRandom strings together what YAML is made of.
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

// comparePlain holds what is read without the library against the library. It
// reports whether anything was.
func comparePlain(t *testing.T, front string) bool {
	t.Helper()
	var plain, library document
	if !plain.parsePlain(front) {
		if len(plain.fields) > 0 {
			t.Errorf("%q: kept %+v", front, plain.fields)
		}
		return false
	}
	if problem, _ := library.parseYAML(file{}, []byte(front)); problem != nil {
		t.Errorf("%q: read as %+v, the library says %s", front, plain.fields, problem.Message)
	} else if !reflect.DeepEqual(plain.fields, library.fields) {
		t.Errorf("%q:\nread as    %+v\nthe library %+v", front, plain.fields, library.fields)
	}
	return true
}

// FuzzPlainFrontMatter: what is read without the library is read as by it.
func FuzzPlainFrontMatter(f *testing.F) {
	for _, front := range plainFronts {
		f.Add(front)
	}
	for _, front := range otherFronts {
		f.Add(front)
	}
	for _, tt := range markdownFieldCases() {
		f.Add(tt.source)
	}
	for _, front := range goldenFronts(f) {
		f.Add(front)
	}
	f.Fuzz(func(t *testing.T, front string) {
		if utf8.ValidString(front) { // a file that is not is refused before
			comparePlain(t, front)
		}
	})
}

// goldenFronts are the front matters of the golden files.
func goldenFronts(f *testing.F) (fronts []string) {
	for _, name := range goldenFiles(f) {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if front, _, found := cutFrontMatter(file.Data); found {
				fronts = append(fronts, string(front))
			}
		}
	}
	return fronts
}
