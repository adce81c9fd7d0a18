package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpdatingParts checks that updating a part of a note changes no other byte.
func TestUpdatingParts(t *testing.T) {
	t.Parallel()
	const whole = "---\nx: 1 # mine\n---\nIntro.\n\n# One\n\nFirst [[b]].\n\n## Below\nDeep.\n# Two *b* #\nSecond.\n\nThree\n=====\n\n> # In a quote\n> text\n\n# Same\na\n# Same\nb aa aaa\n```\n# code\n```"
	for _, tt := range []struct {
		params string
		old    string // of the file; occurs once
		new    string
		err    string // or part of an error message
	}{
		{params: `"append":"- item"`, old: "# code\n```", new: "# code\n```\n- item"},
		{params: `"append":""`, old: "# code\n```", new: "# code\n```\n"},
		{params: `"section":{"heading":"One","content":"New."}`, old: "\nFirst [[b]].\n\n## Below\nDeep.\n", new: "\nNew.\n\n"},
		{params: `"section":{"heading":"Below","content":"\n\nNew.\n\n"}`, old: "Deep.\n", new: "\nNew.\n\n"},
		{params: `"section":{"heading":"Two *b*","content":""}`, old: "Second.\n", new: ""},
		{params: `"section":{"heading":"Three","content":"Last."}`, old: "\n> # In a quote\n> text\n", new: "\nLast.\n"},
		{params: `"section":{"heading":"Same","content":"x"}`, err: "2 headings"},
		{params: `"section":{"heading":"two","content":"x"}`, err: `no heading reads "two": the note has "One", "Below", "Two *b*"`},
		{params: `"section":{"heading":"In a quote","content":"x"}`, err: "no heading"},
		{params: `"section":{"heading":"code","content":"x"}`, err: "no heading"},
		{params: `"section":{"heading":"One","content":"x... [truncated]"}`, err: "was cut"},
		{params: `"section":{"heading":"One"}`, err: "section.content"},
		{params: `"replace":{"old":"First [[b]].","new":"1st"}`, old: "First [[b]].", new: "1st"},
		{params: `"replace":{"old":"Intro.","new":"---\na: b\n---"}`, old: "Intro.", new: "---\na: b\n---"},
		{params: `"replace":{"old":"aaa","new":"x"}`, old: "aaa", new: "x"},
		{params: `"replace":{"old":"aa","new":"x"}`, err: "in 3 places"},
		{params: `"replace":{"old":"x: 1","new":"x: 2"}`, err: "does not contain it"},
		{params: `"replace":{"old":"","new":"x"}`, err: "replace.old"},
		{params: `"replace":{"old":"First","new":"x","all":true}`, err: "all"},
		{params: `"append":"x","content":"y"`, err: "one of content, append, section and replace"},
		{params: `"append":"x","ifHash":"0"`, err: "read it again"},
		{params: `"replace":{"old":"First","new":"1st"},"tags":["a"]`, old: "---\nIntro.\n\n# One\n\nFirst", new: "tags: [a]\n---\nIntro.\n\n# One\n\n1st"},
	} {
		f := newFixture(t, vaultOf(t, map[string]string{"a.md": whole, "b.md": "[[a]]"}))
		answer := f.call(t, "update_node", `{"id":"a.md",`+tt.params+`}`)
		want := whole
		if tt.err == "" {
			want = strings.Replace(whole, tt.old, tt.new, 1)
		} else {
			compare(t, answer, errorOf("INVALID_PARAMS", tt.err))
		}
		if got, err := os.ReadFile(filepath.Join(f.dir, "a.md")); string(got) != want || err != nil {
			t.Errorf("%s: the file holds\n%q, want\n%q\n%s", tt.params, got, want, answer)
		}
	}
}

// TestUpdatingPartsOfWindowsFiles checks that the file's line ends are used and that
// invalid UTF-8 is kept.
func TestUpdatingPartsOfWindowsFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": "# H\r\none\r\ntwo\xff\r\n# I\r\n"}))
	for _, params := range []string{`"replace":{"old":"# H\none","new":"# H\n1"}`, `"section":{"heading":"I","content":"x\ny"}`, `"append":"\nz"`} {
		if answer := f.call(t, "update_node", `{"id":"a.md",`+params+`}`); strings.Contains(answer, "error") {
			t.Error(answer)
		}
	}
	const want = "# H\r\n1\r\ntwo\xff\r\n# I\r\n\r\nx\r\ny\r\n\r\nz"
	if got, _ := os.ReadFile(filepath.Join(f.dir, "a.md")); string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUpdatingPartsAndTitle checks a change of a part together with the title, including
// the links.
func TestUpdatingPartsAndTitle(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": "# Old\n\nSee [[a]].\n", "b.md": "[[Old]]", "c.md": "c"}))
	f.node(t, "update_node", map[string]any{"id": "a.md", "title": "New Name", "append": "More."})
	if got, _ := os.ReadFile(filepath.Join(f.dir, "new-name.md")); string(got) != "---\ntitle: New Name\n---\n# Old\n\nSee [[new-name|New Name]].\nMore." {
		t.Errorf("got %q", got)
	}
	answer := f.call(t, "update_node", `{"id":"new-name.md","title":"c","append":"Again."}`)
	compare(t, answer, errorOf("NODE_EXISTS", "c.md"))
	if got, _ := os.ReadFile(filepath.Join(f.dir, "new-name.md")); strings.Contains(string(got), "Again") {
		t.Errorf("what was refused wrote %q", got)
	}
}

// TestSavingASectionThatWasCut checks that a partly shown section cannot be replaced by
// the shown part.
func TestSavingASectionThatWasCut(t *testing.T) {
	t.Parallel()
	whole := longText() // the first 9,985 characters are shown, which end within a section
	text := []rune(whole)
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": whole}))
	section := func(n int) []rune { return text[n*len(text)/10 : (n+1)*len(text)/10] }
	save := func(n int, content string, more string) string {
		return f.call(t, "update_node", fmt.Sprintf(`{"id":"a.md","section":{"heading":"Part *%d*","content":%s}%s}`, n, encoded(t, content), more))
	}
	cut := f.node(t, "get_node", map[string]any{"id": "a.md"})
	n := 0
	for ; (n+1)*len(text)/10 < *cut.NextOffset; n++ {
	}
	shown := string(section(n)[:*cut.NextOffset-n*len(text)/10])
	shown = shown[strings.Index(shown, "\n"):]
	for _, content := range []string{shown, shown + " One.", strings.Replace(shown, "text", "word", 3)} {
		compare(t, save(n, content, ""), errorOf("INVALID_PARAMS", "truncate"))
	}
	if answer := save(n-1, "Short.", ""); strings.Contains(answer, "error") {
		t.Errorf("a section that was shown whole: %.200s", answer)
	}
	if answer := save(n, "Short.", `,"truncate":true`); strings.Contains(answer, "error") {
		t.Errorf("truncate: %.200s", answer)
	}
}
