package markdown

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// What the plain way reads, the library reads alike.
func checkPlain(t *testing.T, text string) (plain bool) {
	t.Helper()
	file := []byte("---\n" + text)
	span := Span{4, len(file)}
	got, ok := readPlainFront(file, span)
	if !ok {
		return false
	}
	want := readYAML(file, span)
	if len(want.tags) == 0 && len(got.tags) == 0 {
		got.tags = want.tags
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: plainly %+v, by the library %+v", text, got, want)
	}
	return true
}

func TestPlainFront(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                      true,
		"title: A b\ntags: [x, y-z]\n":          true,
		"tags:\n  - a\n  - b c\nx: y\n":         true,
		"tags:\n- a\nx: 2024-01-01 10:00\n":     true,
		"title: \"a: 'b' #c\"\r\ntags: one\r\n": true,
		"# comment\n\na:\nb: null\n":            true,
		"title: a: b\n":                         false, "title: a #b\n": false, "title: 'a'\n": false, "a: [b, [c]]\n": false, "a: b\na: c\n": false, "a: {}\n": false,
		"up: \"[[a]]\"\n": false, "a: b\n  c\n": false, "a: &x b\n": false, "title: Caf\u00e9\n": false, "a:\n  b: c\n": false, "a:\tb\n": false,
	} {
		if got := checkPlain(t, text); got != want {
			t.Errorf("%q: plain %v, want %v", text, got, want)
		}
	}
	pieces := strings.Split("a|b|title|tags|: |:|\n|\n|\n|- |  - |[|]|, | |\"|#| #|null|~|1|é|-|.|'|\t|\r|---|...|: \n|y|0x1|: [a, b]\n|: \"x\"\n", "|")
	r := rand.New(rand.NewPCG(7, 7))
	found := 0
	for range 100_000 {
		var text strings.Builder
		for range r.IntN(10) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		if checkPlain(t, text.String()) {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts were plain", found)
	}
}
