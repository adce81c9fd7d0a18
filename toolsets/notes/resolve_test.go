package notes_test

import (
	"slices"
	"strings"
	"testing"

	"instruction-catalog/toolsets/notes"
)

// snapshot returns a snapshot of notes with these texts, by id.
func snapshot(files map[string]string) *notes.Snapshot {
	var all []*notes.Note
	for id, text := range files {
		all = append(all, notes.NewNote(notes.ID(id), []byte(text)))
	}
	return notes.NewSnapshot(all, nil)
}

func ids(list []*notes.Note) string {
	var all []string
	for _, n := range list {
		all = append(all, string(n.ID))
	}
	return strings.Join(all, " ")
}

const nfd, nfc = "Cafe\u0301", "Caf\u00e9"

func TestLinksResolve(t *testing.T) {
	t.Parallel()
	others := []string{
		"index.md", "folder/deep/plan.md", "folder/plan.md", "Plan B.md", "machine-learning.md", "a/x.md", "b/x.md", "b/c/x.md", "z.md", "a/z.md",
		"Upper.md", "titled.md=The Title", "other.md=index", nfc + ".md", "d.md.md", "e/Same.md", "f/same.md", "x-y.md", "x y.md", "Node.js.md", "ß.md",
	}
	for _, tt := range []struct{ from, link, want string }{
		// A path from the root, with or without its extension.
		{"n.md", "[[index]]", "index.md"},
		{"folder/n.md", "[[index.md]]", "index.md"},
		{"n.md", "[[folder/plan]]", "folder/plan.md"},
		{"a/n.md", "[[/folder/deep/plan.md]]", "folder/deep/plan.md"},
		{"a/n.md", "[[z]]", "z.md"}, // the path takes precedence over the folder
		{"n.md", "[[d.md]]", "d.md.md"},
		{"n.md", "[[Node.js]]", "Node.js.md"},
		// A file name.
		{"n.md", "[[plan]]", "folder/plan.md"}, // fewest segments
		{"folder/deep/n.md", "[[plan]]", "folder/deep/plan.md"},
		{"n.md", "[[x]]", "a/x.md"}, // byte order
		{"b/n.md", "[[x]]", "b/x.md"},
		{"b/c/n.md", "[[x.md]]", "b/c/x.md"},
		{"n.md", "[[Same]]", "e/Same.md"},
		{"n.md", "[[same]]", "f/same.md"},
		{"n.md", "[[SAME]]", "e/Same.md"},
		{"n.md", "[[upper]]", "Upper.md"},
		{"n.md", "[[FOLDER/PLAN]]", "folder/plan.md"},
		{"n.md", "[[" + nfd + "]]", nfc + ".md"},
		{"n.md", "[[" + strings.ToUpper(nfd) + "]]", nfc + ".md"},
		{"n.md", "[[SS]]", "ß.md"},
		// Blanks and hyphens.
		{"n.md", "[[Machine Learning]]", "machine-learning.md"},
		{"n.md", "[[plan-b]]", "Plan B.md"},
		{"n.md", "[[x y]]", "x y.md"},
		{"n.md", "[[X-Y]]", "x-y.md"},
		// A title.
		{"n.md", "[[The Title]]", "titled.md"},
		{"n.md", "[[the title#part|shown]]", "titled.md"},
		// Nothing.
		{"n.md", "[[folder]]", ""},
		{"n.md", "[[folder/]]", ""},
		{"n.md", "[[wrong/plan]]", ""},
		{"n.md", "[[../../etc/passwd]]", ""},
		{"n.md", "[[../index]]", ""},
		{"a/n.md", "[[./index]]", ""},
		{"a/n.md", "[[/x]]", ""},
		{"n.md", "[[plan.txt]]", ""},
		// The end of a path, and a path that is relative to the note or to the root.
		{"n.md", "[[deep/plan]]", "folder/deep/plan.md"},
		{"n.md", "[[DEEP/plan.md]]", "folder/deep/plan.md"},
		{"n.md", "[[eep/plan]]", ""},
		{"n.md", "[[c/x]]", "b/c/x.md"},
		{"a/n.md", "[[../index]]", "index.md"},
		{"folder/n.md", "[[./plan]]", "folder/plan.md"},
		{"folder/deep/n.md", "[[../plan|x]]", "folder/plan.md"},
		{"b/c/n.md", "[[/a/x]]", "a/x.md"},
		// The note itself.
		{"n.md", "[[n]]", "n.md"},
		{"n.md", "[it](n.md)", "n.md"},
		// Markdown links are relative to the folder.
		{"n.md", "[x](folder/plan.md)", "folder/plan.md"},
		{"folder/n.md", "[x](plan.md) [x](./deep/../plan.md#a)", "folder/plan.md"},
		{"folder/n.md", "[x](../index.md)", "index.md"},
		{"folder/n.md", "[x](./index.md)", ""},
		{"folder/n.md", "[x](index.md)", "index.md"},
		{"folder/n.md", "[x](/index.md) [x](/index)", "index.md"},
		{"folder/n.md", "[x](plan)", "folder/plan.md"},
		{"b/n.md", "[x](folder/plan) [x](c/x)", "folder/plan.md b/c/x.md"},
		{"n.md", "[x](deep/plan.md)", ""},
		{"n.md", "[x](../n.md)", ""},
		{"a/n.md", "[x](../../index.md)", ""},
		{"n.md", "[x](Plan%20B.md) [x](<Plan B.md>)", "Plan B.md"},
		{"n.md", "[x](plan%20b.md)", "Plan B.md"},
		{"n.md", "[x](machine%20learning.md)", ""},
		{"n.md", "[x](Caf%C3%A9.md) [x](Cafe%CC%81.md)", nfc + ".md"},
		{"a/n.md", "[x][r]\n\n[r]: ../z.md", "z.md"},
		{"n.md", "[x](../../etc/passwd.md)", ""},
	} {
		files := map[string]string{tt.from: tt.link}
		for _, o := range others {
			id, title, _ := strings.Cut(o, "=")
			files[id] = "# " + title
		}
		s := snapshot(files)
		n, err := s.Find(tt.from)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(s.Links(n)); got != tt.want {
			t.Errorf("%s: %s leads to %q, want %q", tt.from, tt.link, got, tt.want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := snapshot(map[string]string{"a.md": "", "Twin.md": "", "twin.md": "", nfd + ".md": "", "b/" + nfc + ".md": "", "b c.md": ""})
	for id, want := range map[string]string{
		"a.md": "a.md", "A.MD": "a.md", "Twin.md": "Twin.md", nfd + ".md": nfd + ".md", nfc + ".md": nfd + ".md", "B/CAFE\u0301.md": "b/" + nfc + ".md",
		"b-c.md": "", "a": "", "./a.md": "", "b/../a.md": "", "": "", ".md": "", "b": "",
	} {
		n, err := s.Find(id)
		if got := ""; err != nil || n != nil && string(n.ID) != want || n == nil && want != got {
			t.Errorf("%q: got %v %v, want %q", id, n, err, want)
		}
	}
	if n, err := s.Find("TWIN.md"); n != nil || err == nil {
		t.Errorf("got %v %v for an id that two notes have", n, err)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	s := snapshot(map[string]string{
		"n.md": "---\ntags: [t, t]\n---\n[[a]] [[gone#x|y]] [[gone]] [x](./b%20c.md) ![[p.png]] [[doc.pdf]] [[s.7z]] [[v1.2]] [[Dr. No]] [[two]]",
		"a.md": "", "x/two.md": "", "y/two.md": "",
	})
	n, _ := s.Find("n.md")
	want := []string{
		"Broken link: [[gone]]", "Broken link: ./b%20c.md", "Broken link: [[v1.2]]", "Broken link: [[Dr. No]]",
		"Ambiguous link: [[two]] may mean 2 notes, and is taken for x/two.md", "Duplicate tag ignored: t",
	}
	if got := s.Warnings(n); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	const mark = "... [truncated]"
	family := "👨‍👩‍👧‍👦" // seven code points
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"", 20, ""},
		{strings.Repeat("x", 20), 20, strings.Repeat("x", 20)},
		{strings.Repeat("x", 21), 20, "xxxxx" + mark},
		{strings.Repeat("é", 21), 20, "ééééé" + mark},
		{"xxxx" + "e\u0301" + strings.Repeat("x", 20), 20, "xxxx" + mark},
		{"xxx" + "e\u0301" + strings.Repeat("x", 20), 20, "xxxe\u0301" + mark},
		{"xxxx\r\n" + strings.Repeat("x", 20), 20, "xxxx" + mark},
		{family + strings.Repeat("x", 20), 20, mark},
		{family + strings.Repeat("x", 20), 22, family + mark},
		{"🇩🇪🇫🇷🇮🇹" + strings.Repeat("x", 20), 20, "🇩🇪🇫🇷" + mark},
		{strings.Repeat("字", 30), 20, "字字字字字" + mark},
		{"a" + strings.Repeat("\u0301", 30), 20, mark},
	} {
		if got := notes.Truncate(tt.text, tt.most); got != tt.want {
			t.Errorf("%q at %d: got %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"\uFEFFx": "x", "---\na: b\n---\n\nx\r\n": "\nx\r\n", "a\x00b": "a\x00b", "a\xffb": "a\uFFFDb", "\xff\xfea\x00": "\uFFFD\uFFFDa\x00", "": "",
	} {
		n := notes.NewNote("n.md", []byte(file))
		if got := n.Content(); got != want || n.Excerpt(100) != want {
			t.Errorf("%q: got %q and %q, want %q", file, got, n.Excerpt(100), want)
		}
	}
}
