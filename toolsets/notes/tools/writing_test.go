package tools_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// garden is a vault for writing tests.
var garden = map[string]string{
	"notes/tree.md":   "---\n# mine\ntitle: 'Tree'\ntags:\n  - a # one\n  - b\nx: 1\n---\nA [[leaf]].\n",
	"notes/leaf.md":   "---\ntags: [a]\n---\n# Leaf\n\nOn a [[Tree|big tree]], [again](tree.md#top).\n",
	"broken.md":       "---\ntitle: [\n---\ntext\n",
	"twice/Name.md":   "1",
	"twice/name.md":   "2",
	".hidden/note.md": "no note",
}

// errorOf returns an expected error: its code and a part of its message.
func errorOf(code, part string) [2]string { return [2]string{code, part} }

// TestWriting checks the behaviour that the specification defines for each writing tool,
// bare and over MCP: the answer or error, and the resulting file.
func TestWriting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tool, params string
		want         any    // an answer, or errorOf
		file, text   string // "" if nothing changes
	}{
		{"create_node", `{"title":"Meeting Notes 2024-01-15","content":"# Meeting Notes\n\nDiscussed project timeline...","tags":["meeting","project-x"],"directory":"meetings"}`,
			`{"id":"meetings/meeting-notes-2024-01-15.md","title":"Meeting Notes 2024-01-15","content":"# Meeting Notes\n\nDiscussed project timeline...","tags":["meeting","project-x"],"links":[]}`,
			"meetings/meeting-notes-2024-01-15.md",
			"---\ntitle: Meeting Notes 2024-01-15\ntags: [meeting, project-x]\n---\n# Meeting Notes\n\nDiscussed project timeline..."},
		{"create_node", `{"title":"New","content":"See [[tree]] and [[none]]."}`,
			`{"id":"new.md","title":"New","content":"See [[tree]] and [[none]].","tags":[],"links":[{"id":"notes/tree.md","title":"Tree"}],"_warnings":["Broken link: [[none]]"]}`,
			"new.md", "---\ntitle: New\n---\nSee [[tree]] and [[none]]."},
		{"create_node", `{"title":"New","content":"---\na: b\n---\n","tags":[]}`,
			`{"id":"new.md","title":"New","content":"---\na: b\n---\n","tags":[],"links":[]}`, "new.md", "---\ntitle: New\n---\n---\na: b\n---\n"},
		{"create_node", `{"title":"New","content":"x","tags":["a","b","a","a"]}`,
			`{"id":"new.md","title":"New","content":"x","tags":["a","b"],"links":[],"_warnings":["Duplicate tag ignored: a"]}`,
			"new.md", "---\ntitle: New\ntags: [a, b]\n---\nx"},
		{"create_node", `{"title":"Tree","content":"x","directory":"notes"}`, errorOf("NODE_EXISTS", "notes/tree.md"), "", ""},
		{"create_node", `{"title":"TREE","content":"x","directory":"Notes"}`, errorOf("NODE_EXISTS", "notes/tree.md"), "", ""},
		{"create_node", `{"title":"x"}`, errorOf("INVALID_PARAMS", "content"), "", ""},
		{"create_node", `{"title":"x","content":"","extra":1}`, errorOf("INVALID_PARAMS", "extra"), "", ""},
		{"create_node", `{"title":"x","content":"","tags":"a"}`, errorOf("INVALID_PARAMS", "tags"), "", ""},
		{"create_node", `{"title":"","content":""}`, errorOf("INVALID_PARAMS", "title"), "", ""},
		{"create_node", `{"title":"!?","content":""}`, errorOf("INVALID_PARAMS", "title"), "", ""},
		{"create_node", `{"title":"x","content":"","directory":"../x"}`, errorOf("INVALID_PARAMS", "directory"), "", ""},
		{"create_node", `{"title":"x","content":"","directory":"/tmp"}`, errorOf("INVALID_PARAMS", "directory"), "", ""},
		{"create_node", `{"title":"x","content":"","directory":".hidden"}`, errorOf("INVALID_PARAMS", "directory"), "", ""},
		{"create_node", `{"title":"x","content":"","directory":"a\u0000b"}`, errorOf("INVALID_PARAMS", "directory"), "", ""},

		{"update_node", `{"id":"notes/tree.md","content":"New [[none]]"}`,
			`{"id":"notes/tree.md","title":"Tree","content":"New [[none]]","tags":["a","b"],"links":[],"_warnings":["Broken link: [[none]]"]}`,
			"notes/tree.md", "---\n# mine\ntitle: 'Tree'\ntags:\n  - a # one\n  - b\nx: 1\n---\nNew [[none]]"},
		{"update_node", `{"id":"notes/tree.md","tags":["a","c"]}`,
			`{"id":"notes/tree.md","title":"Tree","content":"A [[leaf]].\n","tags":["a","c"],"links":[{"id":"notes/leaf.md","title":"Leaf"}]}`,
			"notes/tree.md", "---\n# mine\ntitle: 'Tree'\ntags:\n  - a # one\n  - c\nx: 1\n---\nA [[leaf]].\n"},
		{"update_node", `{"id":"NOTES/Tree.md","title":"Old Oak"}`,
			`{"id":"notes/old-oak.md","title":"Old Oak","content":"A [[leaf]].\n","tags":["a","b"],"links":[{"id":"notes/leaf.md","title":"Leaf"}]}`,
			"notes/leaf.md", "---\ntags: [a]\n---\n# Leaf\n\nOn a [[old-oak|big tree]], [again](old-oak.md#top).\n"},
		{"update_node", `{"id":"notes/leaf.md","title":"Blade","content":"of grass","tags":[]}`,
			`{"id":"notes/blade.md","title":"Blade","content":"of grass","tags":[],"links":[]}`,
			"notes/blade.md", "---\ntags: []\ntitle: Blade\n---\nof grass"},
		{"update_node", `{"id":"notes/tree.md","title":"Tree","tags":["a","b"],"content":"A [[leaf]].\n"}`,
			`{"id":"notes/tree.md","title":"Tree","content":"A [[leaf]].\n","tags":["a","b"],"links":[{"id":"notes/leaf.md","title":"Leaf"}]}`, "", ""},
		{"update_node", `{"id":"broken.md","content":"new"}`, `{"id":"broken.md","title":"broken","content":"new","tags":[],"links":[]}`,
			"broken.md", "---\ntitle: [\n---\nnew"},
		{"update_node", `{"id":"broken.md","tags":["a"]}`, errorOf("PROVIDER_ERROR", "front matter"), "", ""},
		{"update_node", `{"id":"notes/tree.md"}`, errorOf("INVALID_PARAMS", "at least one of title, content and tags"), "", ""},
		{"update_node", `{"id":"notes/tree.md","ifHash":"x"}`, errorOf("INVALID_PARAMS", "at least one"), "", ""},
		{"update_node", `{"title":"x"}`, errorOf("INVALID_PARAMS", "id"), "", ""},
		{"update_node", `{"id":"notes/tree.md","title":null}`, errorOf("INVALID_PARAMS", "title"), "", ""},
		{"update_node", `{"id":"notes/tree.md","title":"…"}`, errorOf("INVALID_PARAMS", "title"), "", ""},
		{"update_node", `{"id":"notes/tree.md","title":"Leaf"}`, errorOf("NODE_EXISTS", "notes/leaf.md"), "", ""},
		{"update_node", `{"id":"notes/tree.md","tags":[],"ifHash":"0"}`, errorOf("INVALID_PARAMS", "read it again"), "", ""},
		{"update_node", `{"id":"notes/none.md","tags":[]}`, errorOf("NODE_NOT_FOUND", ""), "", ""},
		{"update_node", `{"id":"../etc/passwd","tags":[]}`, errorOf("NODE_NOT_FOUND", ""), "", ""},
		{"update_node", `{"id":".hidden/note.md","tags":[]}`, errorOf("NODE_NOT_FOUND", ""), "", ""},
		{"update_node", `{"id":"twice/NAME.md","tags":[]}`, errorOf("INVALID_PARAMS", "twice/Name.md"), "", ""},

		{"delete_node", `{"id":"notes/leaf.md"}`, `{"deleted":true}`, ".trash/notes/leaf.md", garden["notes/leaf.md"]},
		{"delete_node", `{"id":"notes/none.md"}`, `{"deleted":false}`, "", ""},
		{"delete_node", `{"id":"../x.md"}`, `{"deleted":false}`, "", ""},
		{"delete_node", `{"id":".hidden/note.md"}`, `{"deleted":false}`, "", ""},
		{"delete_node", `{"id":"notes/leaf.md","ifHash":"0"}`, errorOf("INVALID_PARAMS", "read it again"), "", ""},
		{"delete_node", `{"id":"twice/NAME.md"}`, errorOf("INVALID_PARAMS", "twice/Name.md"), "", ""},
		{"delete_node", `{}`, errorOf("INVALID_PARAMS", "id"), "", ""},
	} {
		t.Run(tt.tool+tt.params, func(t *testing.T) {
			t.Parallel()
			bare := newFixture(t, vaultOf(t, garden))
			answer := bare.call(t, tt.tool, tt.params)
			compare(t, answer, tt.want)
			wrote(t, bare, tt.file, tt.text)
			overMCP := newFixture(t, vaultOf(t, garden))
			text, r := overMCP.agent(t).call(t, tt.tool, tt.params)
			if _, failed := tt.want.([2]string); text != answer || r.IsError != failed {
				t.Errorf("over MCP: %v, %s; bare: %s", r.IsError, text, answer)
			}
			wrote(t, overMCP, tt.file, tt.text)
		})
	}
}

// compare compares an answer with the expected one.
func compare(t *testing.T, answer string, want any) {
	t.Helper()
	parts, failed := want.([2]string)
	if !failed {
		if brief(answer) != want {
			t.Errorf("got\n%s\nwant\n%s", brief(answer), want)
		}
		return
	}
	var e struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Error.Code != parts[0] || !strings.Contains(e.Error.Message, parts[1]) || e.Error.Message == "" {
		t.Errorf("got %s, want %s with %q", answer, parts[0], parts[1])
	}
}

// wrote checks that a file has a text, or that nothing has changed.
func wrote(t *testing.T, f *fixture, name, text string) {
	t.Helper()
	if name == "" {
		got := map[string]string{}
		for name := range garden {
			content, _ := os.ReadFile(filepath.Join(f.dir, name))
			got[name] = string(content)
		}
		if !maps.Equal(got, garden) {
			t.Errorf("it wrote %q", got)
		}
		return
	}
	if content, err := os.ReadFile(filepath.Join(f.dir, name)); string(content) != text || err != nil {
		t.Errorf("%s holds\n%q, %v; want\n%q", name, content, err, text)
	}
}

// TestIfHash checks that a hash returned by one tool is accepted by the others until the
// file changes.
func TestIfHash(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, garden))
	hashOf := func(answer string) string {
		var node struct{ Hash string }
		if err := json.Unmarshal([]byte(answer), &node); err != nil || len(node.Hash) != 64 {
			t.Fatalf("%s: %v", answer, err)
		}
		return node.Hash
	}
	first := hashOf(f.call(t, "get_node", `{"id":"notes/leaf.md"}`))
	second := hashOf(f.call(t, "update_node", `{"id":"notes/leaf.md","title":"Blade","ifHash":"`+first+`"}`))
	if answer := f.call(t, "delete_node", `{"id":"notes/blade.md","ifHash":"`+first+`"}`); !strings.Contains(answer, "INVALID_PARAMS") {
		t.Errorf("a stale hash: %s", answer)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "notes/blade.md"), []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := f.call(t, "update_node", `{"id":"notes/blade.md","content":"","ifHash":"`+second+`"}`); !strings.Contains(answer, "INVALID_PARAMS") {
		t.Errorf("an edit from outside: %s", answer)
	}
	third := hashOf(f.call(t, "update_node", `{"id":"notes/blade.md","content":"x"}`))
	if answer := f.call(t, "delete_node", `{"id":"notes/blade.md","ifHash":"`+third+`"}`); answer != `{"deleted":true}` {
		t.Errorf("got %s", answer)
	}
}

// TestChangesAreSeenAtOnce checks that every tool finds a created note immediately.
func TestChangesAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, map[string]string{"a.md": "[[b]]"}))
	f.call(t, "get_node", `{"id":"a.md"}`)
	f.call(t, "create_node", `{"title":"B","content":"[[a]]","tags":["t"]}`)
	for tool, params := range map[string]string{
		"get_neighbors": `{"id":"a.md"}`, "search_by_tags": `{"tags":["t"]}`, "search_text": `{"query":"B"}`, "find_path": `{"source":"a.md","target":"b.md"}`,
	} {
		if answer := f.call(t, tool, params); !strings.Contains(answer, `"b.md"`) {
			t.Errorf("%s: %s", tool, answer)
		}
	}
	f.call(t, "delete_node", `{"id":"b.md"}`)
	if answer := f.call(t, "get_node", `{"id":"b.md"}`); answer != "null" {
		t.Errorf("got %s", answer)
	}
}

func TestLongContentIsWrittenWhole(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, nil))
	content := strings.Repeat("ä", 12_000)
	var node struct{ Content string }
	if err := json.Unmarshal([]byte(f.call(t, "create_node", `{"title":"Long","content":"`+content+`"}`)), &node); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(node.Content); n > 10_000 || !strings.HasSuffix(node.Content, "... [truncated]") {
		t.Errorf("answered %d characters", n)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "long.md")); !strings.HasSuffix(string(text), "---\n"+content) || err != nil {
		t.Errorf("wrote %d bytes, %v", len(text), err)
	}
}

// TestErrorsNameNoPathOfTheMachine checks that no answer contains the path of the vault.
func TestErrorsNameNoPathOfTheMachine(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, garden))
	if err := os.WriteFile(filepath.Join(f.dir, ".trash"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := f.call(t, "delete_node", `{"id":"notes/leaf.md"}`)
	if !strings.Contains(answer, "PROVIDER_ERROR") || strings.Contains(answer, f.dir) || strings.Contains(answer, "mkdir") {
		t.Errorf("got %s", answer)
	}
	if !strings.Contains(f.log.String(), ".trash") {
		t.Errorf("the log has %s", f.log)
	}
}

// TestRenameNamesWhatIsNotParsed checks that a rename succeeds despite a note that is
// not parsed, and names that note.
func TestRenameNamesWhatIsNotParsed(t *testing.T) {
	t.Parallel()
	deep := "[[tree]]\n\n" + strings.Repeat("> ", 10_000)
	f := newFixture(t, vaultOf(t, map[string]string{"tree.md": "x", "a.md": "[[tree]]", "deep.md": deep}))
	answer := f.call(t, "update_node", `{"id":"tree.md","title":"Oak"}`)
	if !strings.Contains(answer, `"_warnings":["Not parsed: links in deep.md are not rewritten"]`) {
		t.Errorf("got %s", answer)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "a.md")); string(text) != "[[oak|Oak]]" || err != nil {
		t.Errorf("a.md holds %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "deep.md")); string(text) != deep || err != nil {
		t.Errorf("deep.md holds %.20q, %v", text, err)
	}
	if answer := f.call(t, "update_node", `{"id":"OAK.md","tags":["x"]}`); strings.Contains(answer, "Not parsed") {
		t.Errorf("no rename, and got %s", answer)
	}
	if answer := f.call(t, "get_node", `{"id":"deep.md"}`); !strings.Contains(answer, `"links":[]`) || !strings.Contains(answer, `"_warnings":["Not parsed: `) {
		t.Errorf("got %.300s", answer[len(answer)-300:])
	}
}

// TestRenameNamesLinksByTitle checks that rewriting a link that resolves only by title
// is reported.
func TestRenameNamesLinksByTitle(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, map[string]string{
		"n1.md": "# My Note\n", "a.md": "[[My Note]] [[My Note]] [[n1]] [[My Note|x]]", "b.md": "text\n# My Other\n[[n1]]", "c.md": "[[My Other]]",
	}))
	n := f.node(t, "update_node", map[string]any{"id": "n1.md", "title": "New One"})
	if want := "Link by title rewritten: [[My Note]] in a.md"; len(n.Warnings) != 1 || n.Warnings[0] != want {
		t.Errorf("warnings %q, want %q", n.Warnings, want)
	}
	for name, want := range map[string]string{
		"a.md": "[[new-one|New One]] [[new-one|New One]] [[new-one|New One]] [[new-one|x]]", "b.md": "text\n# My Other\n[[new-one|New One]]", "c.md": "[[My Other]]",
	} {
		if text, err := os.ReadFile(filepath.Join(f.dir, name)); string(text) != want || err != nil {
			t.Errorf("%s holds %q, %v; want %q", name, text, err, want)
		}
	}
}
