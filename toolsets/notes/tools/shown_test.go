package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// shownNode is the form of a note that a client sees.
type shownNode struct {
	Content       string
	ContentLength int
	NextOffset    *int
	Outline       []struct {
		Level   int
		Heading string
		Offset  int
	}
	Hash     string
	Warnings []string `json:"_warnings"`
}

func (f *fixture) node(t *testing.T, tool string, params map[string]any) (n shownNode) {
	t.Helper()
	answer := f.call(t, tool, encoded(t, params))
	if err := json.Unmarshal([]byte(answer), &n); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return n
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// longText returns a note of 25 KB with a heading every 2,500 bytes.
func longText() string {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "## Part *%d*\n\n%s\n\n", i, strings.Repeat("Grüße and text. ", 150)[:2480])
	}
	return text.String()
}

// TestSavingWhatWasShown checks that saving the shown part of a long note destroys
// nothing, regardless of the answer and the session that showed it.
func TestSavingWhatWasShown(t *testing.T) {
	t.Parallel()
	const mark = "... [truncated]"
	whole := longText()
	runes := []rune(whole)
	for name, show := range map[string]func(t *testing.T, f *fixture) string{
		"get_node": func(t *testing.T, f *fixture) string {
			return f.node(t, "get_node", map[string]any{"id": "a.md"}).Content
		},
		"random_node": func(t *testing.T, f *fixture) string {
			return f.node(t, "random_node", map[string]any{"tags": []string{"long"}}).Content
		},
		"a first part": func(t *testing.T, f *fixture) string {
			return f.node(t, "get_node", map[string]any{"id": "a.md", "contentLimit": 3000}).Content
		},
		"a later part": func(t *testing.T, f *fixture) string {
			return f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": 20_000}).Content
		},
		"a list by tag": func(t *testing.T, f *fixture) string {
			return first(t, f.call(t, "search_by_tags", `{"tags":["long"]}`))
		},
		"a search":  func(t *testing.T, f *fixture) string { return first(t, f.call(t, "search_text", `{"query":"text"}`)) },
		"neighbors": func(t *testing.T, f *fixture) string { return first(t, f.call(t, "get_neighbors", `{"id":"b.md"}`)) },
		"another session": func(t *testing.T, f *fixture) string {
			text, _ := f.agent(t).call(t, "get_node", `{"id":"a.md"}`)
			var n shownNode
			if err := json.Unmarshal([]byte(text), &n); err != nil {
				t.Fatal(err)
			}
			return n.Content
		},
		"an update": func(t *testing.T, f *fixture) string {
			return f.node(t, "update_node", map[string]any{"id": "a.md", "content": string(runes[:20_000])}).Content
		},
		"an update that renames": func(t *testing.T, f *fixture) string {
			f.node(t, "get_node", map[string]any{"id": "a.md"})
			f.node(t, "update_node", map[string]any{"id": "a.md", "title": "Other"})
			return f.node(t, "update_node", map[string]any{"id": "other.md", "title": "a"}).Content
		},
		"an earlier state": func(t *testing.T, f *fixture) string {
			content := f.node(t, "get_node", map[string]any{"id": "a.md"}).Content
			if err := os.WriteFile(filepath.Join(f.dir, "a.md"), []byte("---\ntags: [long]\n---\nNew. "+whole), 0o600); err != nil {
				t.Fatal(err)
			}
			return content
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, vaultOf(t, map[string]string{"a.md": "---\ntags: [long]\n---\n" + whole, "b.md": "[[a]]"}))
			content := show(t, f)
			before, _ := os.ReadFile(filepath.Join(f.dir, "a.md"))
			bare := strings.TrimSuffix(content, mark)
			for _, saved := range []string{content, content + "\n", bare, bare + "\n\nOne more line.\n", strings.Replace(bare, "text", "word", 3)} {
				if saved == whole {
					continue
				}
				answer := f.call(t, "update_node", encoded(t, map[string]any{"id": "a.md", "content": saved}))
				if !strings.Contains(answer, "INVALID_PARAMS") {
					t.Errorf("content of %d characters was saved: %.200s", utf8.RuneCountInString(saved), answer)
				}
			}
			if after, err := os.ReadFile(filepath.Join(f.dir, "a.md")); string(after) != string(before) || err != nil {
				t.Errorf("the file had %d bytes and has %d, %v", len(before), len(after), err)
			}
		})
	}
}

// first returns the content of a.md in a list.
func first(t *testing.T, answer string) string {
	t.Helper()
	var list []struct{ ID, Content string }
	if err := json.Unmarshal([]byte(answer), &list); err != nil || len(list) == 0 {
		t.Fatalf("%s: %v", answer, err)
	}
	for _, n := range list {
		if n.ID == "a.md" {
			return n.Content
		}
	}
	t.Fatalf("no a.md in %s", answer)
	return ""
}

// TestReadingInParts checks that an agent that has read a long note in parts can save
// its edited content.
func TestReadingInParts(t *testing.T) {
	t.Parallel()
	whole := longText() + "e\u0301"
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": whole, "short.md": "short"}))
	var read strings.Builder
	for at, n := 0, 0; ; n++ {
		part := f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": at, "contentLimit": 7001})
		read.WriteString(part.Content)
		if part.ContentLength != utf8.RuneCountInString(whole) || n > 10 {
			t.Fatalf("part %d has contentLength %d", n, part.ContentLength)
		}
		if part.NextOffset == nil {
			break
		}
		at = *part.NextOffset
	}
	if read.String() != whole {
		t.Fatalf("the parts have %d bytes, the note %d", read.Len(), len(whole))
	}
	cut := f.node(t, "get_node", map[string]any{"id": "a.md"})
	rest := f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": *cut.NextOffset})
	if got := strings.TrimSuffix(cut.Content, "... [truncated]") + rest.Content; !strings.HasPrefix(whole, got) || utf8.RuneCountInString(got) < 19_000 {
		t.Errorf("the rest does not begin where the content ends")
	}
	if len(cut.Outline) != 10 || cut.Outline[3].Level != 2 || cut.Outline[3].Heading != "Part *3*" {
		t.Errorf("outline %+v", cut.Outline)
	}
	for _, h := range cut.Outline {
		at := f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": h.Offset, "contentLimit": 20})
		if !strings.HasPrefix(at.Content, "## "+h.Heading) {
			t.Errorf("at %d there is %q, not %q", h.Offset, at.Content, h.Heading)
		}
	}
	if one := f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": utf8.RuneCountInString(whole) - 2, "contentLimit": 1}); one.Content != "e" || one.NextOffset == nil {
		t.Errorf("a part of one character: %+v", one)
	}
	if end := f.node(t, "get_node", map[string]any{"id": "a.md", "contentOffset": 1_000_000}); end.Content != "" || end.NextOffset != nil || end.ContentLength == 0 {
		t.Errorf("beyond the end: %+v", end)
	}
	if short := f.call(t, "get_node", `{"id":"short.md","contentOffset":0}`); strings.Contains(short, "contentLength") || !strings.Contains(short, `"content":"short"`) {
		t.Errorf("got %s", short)
	}
	edited := strings.Replace(whole, "text", "word", 1)
	if answer := f.call(t, "update_node", encoded(t, map[string]any{"id": "a.md", "content": edited[:len(edited)-100], "ifHash": cut.Hash})); strings.Contains(answer, "INVALID_PARAMS") {
		t.Errorf("the whole note, a little shorter: %.300s", answer)
	}
}

// TestSavingWhatAnotherServerShowed checks that requested deletions of most of a note
// are carried out and a copy is kept. A server that has shown nothing accepts the part
// that another server showed, even with text appended, and keeps a copy of the whole
// note.
func TestSavingWhatAnotherServerShowed(t *testing.T) {
	t.Parallel()
	whole := longText() + "The end, which nobody saw."
	shown := string([]rune(whole)[:len([]rune(whole))*6/10])
	for name, test := range map[string]struct {
		content string
		kept    bool
	}{
		"as shown":            {shown, true},
		"with more behind it": {shown + strings.Repeat("Mine. ", 800), true},
		"in Windows lines":    {strings.ReplaceAll(shown, "\n", "\r\n"), true},
		"the middle goes":     {whole[:5000] + whole[9000:], true},
		"more than the rest":  {shown + strings.Repeat("Mine. ", 4000), true},
		"a word goes":         {strings.Replace(whole, " ", "", 1), false},
		"the end changes":     {whole + " And more.", false},
		"nothing changes":     {whole, false},
	} {
		f := newFixture(t, vaultOf(t, map[string]string{"a.md": whole}))
		f.node(t, "update_node", map[string]any{"id": "a.md", "content": test.content})
		text, err := os.ReadFile(filepath.Join(f.dir, ".trash", "a.md"))
		if kept := err == nil && string(text) == whole; kept != test.kept {
			t.Errorf("%s: kept %v, %v", name, kept, err)
		}
	}
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": "A short note. Its end goes."}))
	f.node(t, "update_node", map[string]any{"id": "a.md", "content": "A short note. Its end"})
	if _, err := os.Stat(filepath.Join(f.dir, ".trash")); err == nil {
		t.Error("a short note was kept")
	}
}

func TestTruncating(t *testing.T) {
	t.Parallel()
	whole := "---\ntags: [x]\n---\n" + longText()
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": whole, "b.md": "short, and shown whole"}))
	f.call(t, "get_node", `{"id":"a.md"}`)
	f.call(t, "get_node", `{"id":"b.md"}`)
	if answer := f.call(t, "update_node", `{"id":"a.md","content":"gone","truncate":false}`); !strings.Contains(answer, "truncate") {
		t.Errorf("got %s", answer)
	}
	if answer := f.call(t, "update_node", `{"id":"a.md","content":"gone... [truncated]","truncate":true}`); !strings.Contains(answer, "INVALID_PARAMS") {
		t.Errorf("got %s", answer)
	}
	if _, err := os.Stat(filepath.Join(f.dir, ".trash")); err == nil {
		t.Error("what was refused left something in the trash")
	}
	if n := f.node(t, "update_node", map[string]any{"id": "a.md", "content": "gone", "truncate": true}); n.Content != "gone" {
		t.Errorf("got %+v", n)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, ".trash", "a.md")); string(text) != whole || err != nil {
		t.Errorf("the trash holds %d bytes of %d: %v", len(text), len(whole), err)
	}
	if n := f.node(t, "update_node", map[string]any{"id": "a.md", "content": "g", "title": "New"}); n.Content != "g" {
		t.Errorf("shown whole since, and got %+v", n)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, ".trash", "a 2.md")); !strings.HasSuffix(string(text), "gone") || err != nil {
		t.Errorf("the trash holds %q: %v", text, err)
	}
	if n := f.node(t, "update_node", map[string]any{"id": "b.md", "content": "short"}); n.Content != "short" {
		t.Errorf("got %+v", n)
	}
}
