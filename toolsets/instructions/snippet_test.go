package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSnippets checks that each item of a page has a snippet, regardless of the
// requested fields.
func TestSnippets(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"a.md": "---\ntitle: Straße\n---\nOnly the title has it.\n",
		"b.md": "---\ntitle: x\n---\nDie Strasse\n\nund die STRASSE.\n",
		"c.md": "---\ntitle: x\n---\n" + strings.Repeat("Wort ", 100) + "Straße" + strings.Repeat(" Wort", 100),
	})
	long := "…" + strings.Repeat("Wort ", 10) + "Straße" + strings.Repeat(" Wort", 20) + "…"
	tests := []struct{ params, want string }{
		{`{"q":"strasse","snippet":true,"fields":["id"]}`, `[
			{"id":"a","snippet":{"text":"Only the title has it.","matches":[]}},
			{"id":"b","snippet":{"text":"Die Strasse und die STRASSE.","matches":[[4,11],[20,27]]}},
			{"id":"c","snippet":{"text":"` + long + `","matches":[[51,57]]}}]`},
		{`{"q":"strasse","snippet":true,"fields":["title"],"limit":1}`, `[{"id":"a","title":"Straße","snippet":{"text":"Only the title has it.","matches":[]}}]`},
		{`{"q":"","snippet":true,"fields":["id"],"limit":1}`, `[{"id":"a","snippet":{"text":"Only the title has it.","matches":[]}}]`},
		{`{"q":"strasse","snippet":false,"fields":["id"],"limit":1}`, `[{"id":"a"}]`},
		{`{"q":"nowhere","snippet":true}`, `[]`},
	}
	for _, tt := range tests {
		var got struct{ Items json.RawMessage }
		if err := json.Unmarshal([]byte(c.raw("instructions/search", tt.params)), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.NewReplacer("\n", "", "\t", "").Replace(tt.want); string(got.Items) != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.params, got.Items, want)
		}
	}
}

// TestSnippetComesOnTop checks that requesting snippets only adds the snippet to each
// item.
func TestSnippetComesOnTop(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "One.", "b.md": "Two."})
	c.call("usage/track", `{"id":"b"}`)
	for _, fields := range []string{``, `,"fields":["title","usageCount"]`} {
		want := c.raw("instructions/search", `{"q":"."`+fields+`}`)
		for _, body := range []string{"One.", "Two."} {
			snippet := fmt.Sprintf(`,"snippet":{"text":%q,"matches":[[3,4]]}}`, body)
			entry := strings.Index(want, `{"id":"`+map[string]string{"One.": "a", "Two.": "b"}[body]+`"`)
			end := entry + strings.Index(want[entry:], "}")
			want = want[:end] + snippet + want[end+1:]
		}
		if got := c.raw("instructions/search", `{"q":".","snippet":true`+fields+`}`); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestSnippetsAgreeWithTheSearch checks that snippets mark the matches in the body, and
// nothing else.
func TestSnippetsAgreeWithTheSearch(t *testing.T) {
	t.Parallel()
	bodies := []string{"Straße", "STRASSE", "eﬃzient", "\u212a und İ", "ΣΊΣΥΦΟΣ", "a.*b", "Blanks  and\n\nlines"}
	files := map[string]string{}
	for i, body := range bodies {
		files[fmt.Sprintf("e%d.md", i)] = "---\ntitle: \"0\"\n---\n" + body
	}
	c := open(t, files)
	for _, q := range []string{"strasse", "ß", "S", "ffi", "fi", "k", "i", "i\u0307", "σίσυφος", ".*", "and lines", "and\n\nLINES", " ", "0"} {
		quoted, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Items []struct {
				ID      string
				Snippet struct {
					Text    string
					Matches [][2]int
				}
			}
		}
		if err := json.Unmarshal([]byte(c.raw("instructions/search", `{"snippet":true,"q":`+string(quoted)+`}`)), &got); err != nil {
			t.Fatal(err)
		}
		for _, item := range got.Items {
			if marked := len(item.Snippet.Matches) > 0; marked != (q != "0") {
				t.Errorf("%q in %s: %q, matches %v", q, item.ID, item.Snippet.Text, item.Snippet.Matches)
			}
			for _, m := range item.Snippet.Matches {
				if m[0] < 0 || m[0] >= m[1] || m[1] > utf8.RuneCountInString(item.Snippet.Text) {
					t.Errorf("%q in %s: %v is not within %q", q, item.ID, m, item.Snippet.Text)
				}
			}
		}
	}
}
