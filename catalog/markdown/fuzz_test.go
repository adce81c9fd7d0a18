package markdown_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"instruction-catalog/catalog/markdown"
)

// FuzzParse checks, for any file, that its parts are within the file and in order, and that
// the target of a link can be replaced: the file then has the same number of links, and
// that link has another target.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"---\ntitle: \"[[a]]\"\ntags: [x, 'y']\nup: ['[[b|c]]']\n---\n# T\n[[a#b|c]] ![[d]] [e](f.md#g \"h\") [i][j]\n\n[j]: <k l.md>\n",
		"> - [[a]]\n\n\t[[b]]\n\n`[[c]]` \\[[d]] [[[e]]] [[f\n]]", "\uFEFF---\r\n---\r\n[x](a%20b.md)\r\n", "| [[a\\|b]] |\n|-|\n", "-\t[x](a.md)", "[a](b.md)\xff\x00[[c\xff]]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d := markdown.Parse(file)
		if d.Front.Start > d.Front.End || d.Front.End > d.Body.Start || d.Body.End != len(file) || d.TitleStart < 0 || d.TitleStart > len(file) {
			t.Fatalf("parts %+v", d)
		}
		before := 0
		for _, l := range d.Links {
			if l.Start < before && l.Quote == 0 || l.Target.Start >= l.Target.End || l.Target.End > l.Fragment.Start || l.Fragment.End > len(file) || l.Name == "" || !utf8.ValidString(l.Name) {
				t.Fatalf("link %+v", l)
			}
			before = l.Start
			if l.Form == markdown.Wiki {
				checkReplaced(t, file, d, l)
			}
		}
	})
}

func checkReplaced(t *testing.T, file []byte, d *markdown.Document, l markdown.Link) {
	t.Helper()
	replaced := bytes.Join([][]byte{file[:l.Target.Start], []byte("zz"), file[l.Target.End:]}, nil)
	after := markdown.Parse(replaced)
	names := func(d *markdown.Document) (all []string) {
		for _, l := range d.Links {
			all = append(all, l.Name)
		}
		return all
	}
	was, is := names(d), names(after)
	if len(was) != len(is) || !strings.Contains(strings.Join(is, "\n"), "zz") {
		t.Fatalf("%q has links %q, and as %q %q", file, was, replaced, is)
	}
}
