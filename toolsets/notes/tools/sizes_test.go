package tools_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// hubs returns a vault with notes that have 500 links and 500 incoming links.
func hubs() map[string]string {
	files := map[string]string{}
	var all strings.Builder
	for i := range 500 {
		fmt.Fprintf(&all, "[[leaf number %d]] ", i)
		files[fmt.Sprintf("leaf number %d.md", i)] = fmt.Sprintf("---\ntags: [leaf, leaf/%d]\n---\nA leaf of [[hub 0]] and [[hub 1]]. %s The zeppelin flies over it. %s",
			i, strings.Repeat("Words before. ", 40), strings.Repeat("Words after. ", 40))
	}
	for i := range 12 {
		files[fmt.Sprintf("hub %d.md", i)] = "---\ntags: [hub]\n---\nA balloon over leaves: " + all.String()
	}
	return files
}

// TestAnswersOfHubs checks that every answer shows at most 50 links and as much content
// as the contract says, and that lists contain the number of all.
func TestAnswersOfHubs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, hubs()))
	if err := f.index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	agent := f.agent(t)
	for _, tt := range []struct {
		tool, params string
		total        float64 // 0 for no list
		truncated    bool
		content      int // maximum, in code points
	}{
		{"get_node", `{"id":"hub 0.md"}`, 0, false, 10_000},
		{"get_node", `{"id":"hub 0.md","depth":1}`, 0, false, 10_000},
		{"random_node", `{"tags":["hub"]}`, 0, false, 10_000},
		{"update_node", `{"id":"hub 11.md","append":"."}`, 0, false, 10_000},
		{"find_path", `{"source":"hub 0.md","target":"hub 1.md"}`, 0, false, 0},
		{"get_neighbors", `{"id":"leaf number 0.md"}`, 12, false, 500},
		{"get_neighbors", `{"id":"hub 0.md"}`, 500, true, 500},
		{"get_neighbors", `{"id":"hub 0.md","limit":50}`, 500, true, 500},
		{"search_by_tags", `{"tags":["hub"]}`, 12, false, 500},
		{"search_by_tags", `{"tags":["leaf"]}`, 500, true, 500},
		{"search_by_tags", `{"tags":["leaf"],"limit":100}`, 500, true, 500},
		{"search_text", `{"query":"balloon"}`, 12, true, 300},
		{"search_text", `{"query":"balloon","limit":5}`, 12, true, 300},
		{"search", `{"query":"balloon"}`, 512, true, 500},
		{"search", `{"query":"balloon","limit":50}`, 512, true, 500},
		{"get_hubs", `{}`, 512, true, 0},
		{"get_hubs", `{"limit":50}`, 512, true, 0},
		{"list_tags", `{}`, 502, true, 0},
		{"list_tags", `{"prefix":"HU"}`, 1, false, 0},
	} {
		text, r := agent.call(t, tt.tool, tt.params)
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: %d bytes", tt.tool, tt.params, len(text))
		checkShown(t, tt.tool+" "+tt.params, value, tt.content)
		if tt.total > 0 && (r.Meta["instruction-catalog/total"] != tt.total || r.Meta["instruction-catalog/truncated"] != tt.truncated) {
			t.Errorf("%s %s: meta %v", tt.tool, tt.params, r.Meta)
		}
	}
	text, _ := agent.call(t, "get_node", `{"id":"hub 0.md"}`)
	if !strings.Contains(text, `"linkCount":500`) {
		t.Errorf("no linkCount in %.200s", text)
	}
}

// checkShown checks the links and the content of the nodes in an answer. Neighbours of a
// single node have less content.
func checkShown(t *testing.T, name string, value any, content int) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			checkShown(t, name, element, content)
		}
	case map[string]any:
		links, _ := value["links"].([]any)
		if count, cut := value["linkCount"].(float64); len(links) > 50 || cut && count <= float64(len(links)) {
			t.Errorf("%s: %d links of %v", name, len(links), count)
		}
		if text, _ := value["content"].(string); utf8.RuneCountInString(text) > content {
			t.Errorf("%s: %d characters of content, want at most %d", name, utf8.RuneCountInString(text), content)
		}
		checkShown(t, name, value["neighbors"], 200)
	}
}

// TestPassages checks that search_text shows the passage around the match, and that
// answers to agents without a limit are small.
func TestPassages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, hubs()))
	agent := f.agent(t)
	for _, query := range []string{"zeppelin", "balloon"} {
		text, r := agent.call(t, "search_text", encoded(t, map[string]any{"query": query}))
		var found []struct {
			ID, Content                  string
			ContentLength, ContentOffset int
			NextOffset                   *int
		}
		if err := json.Unmarshal([]byte(text), &found); err != nil || len(found) == 0 || len(text) > 6000 {
			t.Fatalf("%s: %d bytes, %v", query, len(text), err)
		}
		for _, n := range found {
			whole := f.node(t, "get_node", map[string]any{"id": n.ID, "contentOffset": n.ContentOffset, "contentLimit": 300})
			if n.NextOffset != nil || len([]rune(n.Content)) > 300 || n.ContentLength != whole.ContentLength || n.Content != whole.Content {
				t.Errorf("%s: %+v, the note has %q there", query, n, whole.Content)
			}
			if query == "zeppelin" && !strings.Contains(n.Content, "zeppelin") {
				t.Errorf("no match in %q", n.Content)
			}
		}
		if total := r.Meta["instruction-catalog/total"].(float64); int(total) < len(found) {
			t.Errorf("%s: %v", query, r.Meta)
		}
	}
	if text, _ := agent.call(t, "search_text", `{"query":"balloon","limit":10}`); len(text) < 6000 {
		t.Errorf("with a limit the answer has %d bytes", len(text))
	}
}

// TestNearestIDs checks that unknown ids are answered as before, and that agents also
// get similar ids.
func TestNearestIDs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, vaultOf(t, map[string]string{"sub/plan.md": "", "planet.md": "", "one/two.md": "", "three/two.md": ""}))
	agent := f.agent(t)
	for _, tt := range []struct{ tool, params, want string }{
		{"get_node", `{"id":"sub/plam.md"}`, "null"},
		{"get_neighbors", `{"id":"sub/plam.md"}`, "[]"},
		{"find_path", `{"source":"sub/plam.md","target":"planet.md"}`, "null"},
		{"find_path", `{"source":"planet.md","target":"sub/plam.md"}`, "null"},
		{"delete_node", `{"id":"sub/plam.md"}`, `{"deleted":false}`},
	} {
		text, r := agent.call(t, tt.tool, tt.params)
		near, _ := r.Meta["instruction-catalog/nearest"].([]any)
		if text != tt.want || r.IsError || len(near) == 0 || near[0] != "sub/plan.md" {
			t.Errorf("%s: %s, %v", tt.tool, text, r.Meta)
		}
	}
	compare(t, f.call(t, "update_node", `{"id":"sub/plam.md","tags":[]}`), errorOf("NODE_NOT_FOUND", `"sub/plam.md"`))
	compare(t, f.call(t, "update_node", `{"id":"sub/plam.md","tags":[]}`), errorOf("NODE_NOT_FOUND", "sub/plan.md"))
	if text, _ := agent.call(t, "get_node", `{"id":"two"}`); text != "null" { // it may mean two notes
		t.Errorf("got %s", text)
	}
	if text, r := agent.call(t, "get_node", `{"id":"wholly other"}`); text != "null" || !reflect.DeepEqual(r.Meta, map[string]any(nil)) {
		t.Errorf("got %s, %v", text, r.Meta)
	}
}
