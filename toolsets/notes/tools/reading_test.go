package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func vaultOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var hash = regexp.MustCompile(`"hash":"[0-9a-f]{64}",?`)

// brief removes the hashes from a result, which are of no interest to readers.
func brief(result string) string {
	return strings.ReplaceAll(hash.ReplaceAllString(result, ""), ",}", "}")
}

// star is a vault where hub links to a, b and itself, and b, c and d link to hub.
var star = map[string]string{
	"hub.md": "[[a]] [[b]] [[hub]] [[a|again]]", "a.md": "---\ntags: [x, Y]\n---\n# A\n", "b.md": "---\ntags: x\n---\n[[hub]]",
	"c.md": "[hub](hub.md)", "sub/d.md": "[up](../hub.md#part) [[c]]", "lonely.md": "",
}

// TestReading checks the behaviour that the specification defines for each tool, bare
// and over MCP.
func TestReading(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, star)
	const (
		a = `{"id":"a.md","title":"A","content":"# A\n","tags":["x","Y"],"links":[]}`
		b = `{"id":"b.md","title":"b","content":"[[hub]]","tags":["x"],"links":[{"id":"hub.md","title":"hub"}]}`
		c = `{"id":"c.md","title":"c","content":"[hub](hub.md)","tags":[],"links":[{"id":"hub.md","title":"hub"}]}`
		d = `{"id":"sub/d.md","title":"d","content":"[up](../hub.md#part) [[c]]","tags":[],"links":[{"id":"hub.md","title":"hub"},{"id":"c.md","title":"c"}]}`
		h = `{"id":"hub.md","title":"hub","content":"[[a]] [[b]] [[hub]] [[a|again]]","tags":[],"links":[{"id":"a.md","title":"A"},{"id":"b.md","title":"b"},{"id":"hub.md","title":"hub"}]}`
		e = `{"id":"lonely.md","title":"lonely","content":"","tags":[],"links":[]}`
	)
	beside := func(node, direction string) string {
		return strings.TrimSuffix(node, "}") + `,"direction":"` + direction + `"}`
	}
	f := newFixture(t, dir)
	agent := f.agent(t)
	for _, tt := range []struct{ tool, params, want string }{
		{"get_node", `{"id":"a.md"}`, a},
		{"get_node", `{"id":"a.md","depth":0}`, a},
		{"get_node", `{"id":"A.MD"}`, a},
		{"get_node", `{"id":"nowhere.md"}`, `null`},
		{"get_node", `{"id":""}`, `null`},
		{"get_node", `{"id":"a"}`, a},
		{"get_node", `{"id":"[[d]]"}`, d},
		{"get_node", `{"id":"../a.md"}`, `null`},
		{"get_node", `{"id":"/etc/passwd"}`, `null`},
		{"get_node", `{"id":"sub"}`, `null`},
		{"get_node", `{"id":"a.md\u0000"}`, `null`},
		{"get_node", `{"id":"lonely.md","depth":1}`, strings.TrimSuffix(e, "}") + `,"incomingCount":0,"outgoingCount":0,"neighbors":[]}`},
		{"get_node", `{"id":"hub.md","depth":1}`, strings.TrimSuffix(h, "}") + `,"incomingCount":4,"outgoingCount":3,"neighbors":[` +
			strings.Join([]string{beside(a, "out"), beside(b, "both"), beside(h, "both"), beside(c, "in"), beside(d, "in")}, ",") + `]}`},

		{"get_neighbors", `{"id":"hub.md"}`, "[" + strings.Join([]string{beside(a, "out"), beside(b, "both"), beside(h, "both"), beside(c, "in"), beside(d, "in")}, ",") + "]"},
		{"get_neighbors", `{"id":"hub.md","direction":"both","limit":2}`, "[" + beside(a, "out") + "," + beside(b, "both") + "]"},
		{"get_neighbors", `{"id":"hub.md","direction":"in"}`, "[" + strings.Join([]string{beside(b, "both"), beside(c, "in"), beside(h, "both"), beside(d, "in")}, ",") + "]"},
		{"get_neighbors", `{"id":"hub.md","direction":"out"}`, "[" + strings.Join([]string{beside(a, "out"), beside(b, "both"), beside(h, "both")}, ",") + "]"},
		{"get_neighbors", `{"id":"lonely.md"}`, `[]`},
		{"get_neighbors", `{"id":"nowhere.md"}`, `[]`},

		{"find_path", `{"source":"sub/d.md","target":"a.md"}`, `{"path":["sub/d.md","hub.md","a.md"],"length":2}`},
		{"find_path", `{"source":"a.md","target":"a.md"}`, `{"path":["a.md"],"length":0}`},
		{"find_path", `{"source":"a.md","target":"hub.md"}`, `null`},
		{"find_path", `{"source":"a.md","target":"hub.md","direction":"out"}`, `null`},
		{"find_path", `{"source":"a.md","target":"sub/d.md","direction":"in"}`, `{"path":["a.md","hub.md","sub/d.md"],"length":2}`},
		{"find_path", `{"source":"a.md","target":"c.md","direction":"any"}`, `{"path":["a.md","hub.md","c.md"],"length":2}`},
		{"find_path", `{"source":"nowhere.md","target":"hub.md"}`, `null`},
		{"find_path", `{"source":"hub.md","target":"nowhere.md"}`, `null`},

		{"get_hubs", `{"limit":2}`, `[{"id":"hub.md","title":"hub","score":4},{"id":"a.md","title":"A","score":1}]`},
		{"get_hubs", `{"metric":"out_degree","limit":3}`, `[{"id":"hub.md","title":"hub","score":3},{"id":"sub/d.md","title":"d","score":2},{"id":"b.md","title":"b","score":1}]`},
		{"get_hubs", ``, `[{"id":"hub.md","title":"hub","score":4},{"id":"a.md","title":"A","score":1},{"id":"b.md","title":"b","score":1},` +
			`{"id":"c.md","title":"c","score":1},{"id":"lonely.md","title":"lonely","score":0},{"id":"sub/d.md","title":"d","score":0}]`},

		{"search_by_tags", `{"tags":["x"]}`, "[" + a + "," + b + "]"},
		{"search_by_tags", `{"tags":["X","y"],"mode":"all"}`, "[" + a + "]"},
		{"search_by_tags", `{"tags":["y","nothing"],"mode":"any"}`, "[" + a + "]"},
		{"search_by_tags", `{"tags":["x"],"limit":1}`, "[" + a + "]"},
		{"search_by_tags", `{"tags":["x","x"],"mode":"all"}`, "[" + a + "," + b + "]"},
		{"search_by_tags", `{"tags":[""]}`, `[]`},

		{"random_node", `{"tags":["Y"]}`, a},
		{"random_node", `{"tags":["nothing"]}`, `null`},

		{"search_text", `{"query":"lonely"}`, "[" + strings.TrimSuffix(e, "}") + `,"score":0.474}]`},
		{"search_text", `{"query":"zeppelin"}`, `[]`},
	} {
		name := tt.tool + " " + tt.params
		if tt.params == "" {
			tt.params = "{}"
		}
		if got := brief(f.call(t, tt.tool, tt.params)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
		text, r := agent.call(t, tt.tool, tt.params)
		if r.IsError || brief(text) != tt.want {
			t.Errorf("%s: an agent got\n%s %v\nwant\n%s", name, text, r, tt.want)
		}
	}
}

// TestErrors checks the errors that the specification defines, bare and over MCP.
func TestErrors(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, map[string]string{"Twin.md": "", "twin.md": "", "a.md": ""})
	missing := filepath.Join(dir, "missing")
	fixtures := map[string]*fixture{dir: newFixture(t, dir), missing: newFixture(t, missing)}
	agents := map[string]*agent{dir: fixtures[dir].agent(t), missing: fixtures[missing].agent(t)}
	for _, tt := range []struct {
		dir, tool, params string
		code              string
		number            int
		message           string // a part of it
	}{
		{dir, "get_node", `{}`, "INVALID_PARAMS", -32602, "id"},
		{dir, "get_node", `{"id":5}`, "INVALID_PARAMS", -32602, "id"},
		{dir, "get_node", `{"id":null}`, "INVALID_PARAMS", -32602, "id"},
		{dir, "get_node", `{"id":"a.md","depth":2}`, "INVALID_PARAMS", -32602, "depth"},
		{dir, "get_node", `{"id":"a.md","depth":-1}`, "INVALID_PARAMS", -32602, "depth"},
		{dir, "get_node", `{"id":"a.md","depth":0.5}`, "INVALID_PARAMS", -32602, "depth"},
		{dir, "get_node", `{"id":"a.md","more":1}`, "INVALID_PARAMS", -32602, "more"},
		{dir, "get_node", `{"id":"TWIN.md"}`, "INVALID_PARAMS", -32602, `["Twin.md" "twin.md"]`},
		{dir, "get_neighbors", `{"id":"a.md","direction":"up"}`, "INVALID_PARAMS", -32602, "direction"},
		{dir, "get_neighbors", `{"id":"a.md","limit":0}`, "INVALID_PARAMS", -32602, "limit"},
		{dir, "get_neighbors", `{"id":"a.md","limit":51}`, "INVALID_PARAMS", -32602, "limit"},
		{dir, "get_neighbors", `{"id":"tWin.md"}`, "INVALID_PARAMS", -32602, "Twin.md"},
		{dir, "find_path", `{"source":"a.md"}`, "INVALID_PARAMS", -32602, "target"},
		{dir, "find_path", `{"source":"tWin.md","target":"a.md"}`, "INVALID_PARAMS", -32602, "Twin.md"},
		{dir, "get_hubs", `{"metric":"fame"}`, "INVALID_PARAMS", -32602, "metric"},
		{dir, "get_hubs", `{"limit":51}`, "INVALID_PARAMS", -32602, "limit"},
		{dir, "search_by_tags", `{}`, "INVALID_PARAMS", -32602, "tags"},
		{dir, "search_by_tags", `{"tags":[]}`, "INVALID_PARAMS", -32602, "tags"},
		{dir, "search_by_tags", `{"tags":"x"}`, "INVALID_PARAMS", -32602, "tags"},
		{dir, "search_by_tags", `{"tags":["x"],"mode":"none"}`, "INVALID_PARAMS", -32602, "mode"},
		{dir, "search_by_tags", `{"tags":["x"],"limit":101}`, "INVALID_PARAMS", -32602, "limit"},
		{dir, "random_node", `{"tags":[1]}`, "INVALID_PARAMS", -32602, "tags"},
		{dir, "search_text", `{"query":" \t"}`, "INVALID_PARAMS", -32602, "query is blank"},
		{dir, "search_text", `{"query":"x","limit":51}`, "INVALID_PARAMS", -32602, "limit"},
		{missing, "get_node", `{"id":"a.md"}`, "PROVIDER_ERROR", -32003, "folder of notes"},
		{missing, "get_hubs", `{}`, "PROVIDER_ERROR", -32003, "folder of notes"},
		{missing, "get_hubs", `{"limit":0}`, "INVALID_PARAMS", -32602, "limit"}, // before the vault is opened
	} {
		f := fixtures[tt.dir]
		text, r := agents[tt.dir].call(t, tt.tool, tt.params)
		bare := f.call(t, tt.tool, tt.params)
		if !r.IsError || text != bare {
			t.Errorf("%s %s: an agent got %s, a program %s", tt.tool, tt.params, text, bare)
		}
		var said struct {
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(bare), &said); err != nil || said.Error.Code != tt.code || !strings.Contains(said.Error.Message, tt.message) {
			t.Errorf("%s %s: got %s, want %s with %q", tt.tool, tt.params, bare, tt.code, tt.message)
		}
		if strings.Contains(bare, tt.dir) {
			t.Errorf("%s %s: %s names the folder", tt.tool, tt.params, bare)
		}
		if _, failure := f.registry.Call(t.Context(), "notes/"+tt.tool, json.RawMessage(tt.params)); int(failure.Code) != tt.number {
			t.Errorf("%s %s: code %d, want %d", tt.tool, tt.params, failure.Code, tt.number)
		}
	}
}

func TestTruncation(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 20_000)
	dir := vaultOf(t, map[string]string{"long.md": "[[long]]" + long, "short.md": "---\ntags: t\n---\n" + strings.Repeat("ab", 5_000)})
	f := newFixture(t, dir)
	agent := f.agent(t)
	call := func(tool, params string) string {
		bare := f.call(t, tool, params)
		if text, _ := agent.call(t, tool, params); text != bare {
			t.Errorf("%s: an agent got %d bytes, a program %d", tool, len(text), len(bare))
		}
		return bare
	}
	content := func(result string, path ...string) string {
		var value any
		if err := json.Unmarshal([]byte(result), &value); err != nil {
			t.Fatal(err)
		}
		for _, key := range path {
			if list, ok := value.([]any); ok {
				value = list[0]
			}
			value = value.(map[string]any)[key]
		}
		if list, ok := value.([]any); ok {
			value = list[0].(map[string]any)["content"]
		}
		return value.(string)
	}
	for _, tt := range []struct {
		what, got string
		want      int
	}{
		{"get_node", content(call("get_node", `{"id":"long.md"}`), "content"), 10_000},
		{"a neighbour", content(call("get_node", `{"id":"long.md","depth":1}`), "neighbors"), 200},
		{"get_neighbors", content(call("get_neighbors", `{"id":"long.md"}`), "content"), 500},
		{"search_by_tags", content(call("search_by_tags", `{"tags":["t"]}`), "content"), 500},
	} {
		if utf8.RuneCountInString(tt.got) != tt.want || !strings.HasSuffix(tt.got, "... [truncated]") {
			t.Errorf("%s: %d characters, ending in %q", tt.what, utf8.RuneCountInString(tt.got), tt.got[len(tt.got)-20:])
		}
	}
	if got := content(call("random_node", `{"tags":["t"]}`), "content"); got != strings.Repeat("ab", 5_000) {
		t.Error("10,000 characters are cut")
	}
}

// TestWarnings checks that a note's warnings come with the first answer about it, and
// again after it changes.
func TestWarnings(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, map[string]string{
		"a.md":       "---\ntags: [t, u, t]\n---\n[[gone]] [[gone|again]] [x](no/file.md#y) ![[p.png]] [[two]] [[a]]",
		"one/two.md": "", "sub/two.md": "", "b.md": "---\ntags: b\n---\n[[lost]]",
		"many.md": manyLinks(31),
	})
	f := newFixture(t, dir)
	warnings := func(result string) []string {
		var node struct {
			Warnings []string `json:"_warnings"`
		}
		if err := json.Unmarshal([]byte(result), &node); err != nil {
			t.Fatal(err)
		}
		return node.Warnings
	}
	expect := func(got []string, want ...string) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
	const get, all = `{"id":"a.md"}`, `{"tags":["t","b"]}`
	if got := f.call(t, "search_by_tags", all); strings.Contains(got, "arning") {
		t.Errorf("a bare array has warnings: %s", got)
	}
	expect(warnings(f.call(t, "get_node", get)),
		"Broken link: [[gone]]", "Broken link: no/file.md", "Ambiguous link: [[two]] may mean 2 notes, and is taken for one/two.md", "Duplicate tag ignored: t")
	expect(warnings(f.call(t, "get_node", get)))
	text, r := f.agent(t).call(t, "search_by_tags", all)
	if strings.Contains(text, "Broken") || !reflect.DeepEqual(r.Meta["instruction-catalog/warnings"], []any{"Broken link: [[lost]] (in b.md)"}) {
		t.Errorf("%s\n%v", text, r.Meta)
	}
	if _, r = f.agent(t).call(t, "search_by_tags", all); r.Meta["instruction-catalog/warnings"] != nil {
		t.Errorf("again: %v", r.Meta)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("[[missing]] more"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.vault.Expire()
	expect(warnings(f.call(t, "get_node", get)), "Broken link: [[missing]]")
	expect(warnings(f.call(t, "get_node", get)))
	got := warnings(f.call(t, "get_node", `{"id":"many.md","depth":1}`))
	if len(got) != 21 || got[20] != "11 more warnings" {
		t.Errorf("%d warnings: %q", len(got), got)
	}
}

func manyLinks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[[m%d]] ", i)
	}
	return b.String()
}
